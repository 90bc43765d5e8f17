const KIB = 1024;
const MIB = 1024 * KIB;

/** The most that is read of a response to a paid request, in bytes after inflation. */
export const MAX_RESPONSE_BYTES = MIB;

/** The largest image that is downloaded, in bytes after inflation. */
export const MAX_IMAGE_BYTES = 1024 * MIB;

/** The most that is read of a message returned instead of an image, in bytes. */
export const MAX_MESSAGE_BYTES = 64 * KIB;

/** Time limit for a message returned instead of an image, in seconds. */
export const MESSAGE_TIMEOUT = 5;

/** Time limit of the credential test, in seconds. */
export const CREDENTIAL_TEST_TIMEOUT = 30;
