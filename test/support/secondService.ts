import { useServer } from './server';

/** Starts a host for a file's tests that no request should reach, and that responds with 404. */
export const useSecondService = () =>
	useServer((_request, response) => response.writeHead(404).end());
