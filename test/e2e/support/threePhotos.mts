import sharp from 'sharp';
import { photo } from './fixture.mjs';

/** Three different photos. */
export async function threePhotos(): Promise<[Buffer, Buffer, Buffer]> {
	const ofWidth = async (width: number) => await sharp(photo).resize(width).jpeg().toBuffer();
	return await Promise.all([ofWidth(60), ofWidth(80), ofWidth(100)]);
}
