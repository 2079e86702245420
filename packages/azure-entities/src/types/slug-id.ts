const SLUG_ID = /^[\w-]{8}[Q-T][\w-][CGKOSWaeimquy26-][\w-]{10}[AQgw]$/
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Tells whether a text is a slugid: a random UUID (version 4) as 22 characters of base64 for URLs. */
export const isSlugId = (text: unknown): text is string =>
  typeof text === 'string' && SLUG_ID.test(text)

/** Tells whether a text is a UUID of any version. */
export const isUuid = (text: unknown): text is string => typeof text === 'string' && GUID.test(text)

/** Returns the 16 bytes of a slugid. */
export const bytesOfSlugId = (slugId: string): Buffer => Buffer.from(slugId, 'base64url')

/** Returns the slugid of 16 bytes. */
export const slugIdOfBytes = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url')

/** Returns the UUID of a slugid, in lower case. */
export function uuidOfSlugId(slugId: string): string {
  const hex = bytesOfSlugId(slugId).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Returns the slugid of a UUID. */
export const slugIdOfUuid = (uuid: string): string =>
  Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url')
