import { backgroundRemover } from './backgroundRemover';
import { imageEditor } from './imageEditor';
import { text2img } from './text2img';
import type { ToolDefinition } from './tool';

/** The service's tools, in the order of the specification. */
export const tools: readonly ToolDefinition[] = [text2img, backgroundRemover, imageEditor];
