/**
 * n8n's modules from scripts/hosts/n8n-2, which users run. The root has the same n8n-core for its
 * tests, but not n8n-nodes-base, which would make its install several times as large.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Di from '@n8n/di';
import type * as Core from 'n8n-core';
import type * as NodeWorkflow from 'n8n-workflow';
import { hosts } from '../../scripts/tools/checkout.mjs';

/** Loads a module the way n8n does. */
export const hostRequire = createRequire(join(hosts, 'n8n-2', 'package.json'));

hostRequire('reflect-metadata');

export const { Container } = hostRequire('@n8n/di') as typeof Di;

export const { BinaryDataConfig, BinaryDataService, ExecutionLifecycleHooks, WorkflowExecute } =
	hostRequire('n8n-core') as typeof Core;

export const { createRunExecutionData, Expression, NodeHelpers, Workflow } = hostRequire(
	'n8n-workflow',
) as typeof NodeWorkflow;

export type BinaryDataService = Core.BinaryDataService;

interface Config {
	expressionEngine: Parameters<typeof Expression.initExpressionEngine>[0];
}

/** n8n's settings. They have their defaults, because no environment variable changes them. */
export const { GlobalConfig } = hostRequire('@n8n/config') as { GlobalConfig: new () => Config };
