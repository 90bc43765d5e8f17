/** How detailed a scene is, and how it is drawn. */
export interface Style {
	/** Number of ridges, 2 to 6; better versions have more. */
	ridges: number;
	/** Number of points on each ridge. */
	points: number;
	/** Width of outlines, in pixels of a picture 1000 pixels wide; 0 for none. */
	outline: number;
	/** Whether ridges are straight rather than wavy. */
	straight: boolean;
}

/** What a picture is to show, as words. */
export interface Subjects {
	words: string[];
	unwanted: string[];
}

/** SVG attributes for the outline of a shape. */
export function outlineAttributes({ outline }: Style): string {
	return outline > 0 ? ` stroke="#1c1a24" stroke-width="${outline}" stroke-linejoin="round"` : '';
}
