import type { HttpRequest } from '@rowkey/rest'

/** The name stands near the beginning of a body, whatever the body's size. */
const LOOKED_AT = 4096

const NEW_TABLE = /"TableName"\s*:\s*"([A-Za-z0-9]+)"/
const FIRST_OPERATION = /^[A-Z]+ +[^\s?(]*\/([A-Za-z0-9]+)(?=[\s?(])/m

/**
 * The table of a request whose path names none: of a batch that of its first operation, and for a
 * new table its name.
 */
export function tableInBody({ method, path, body }: HttpRequest): string | undefined {
  if (method !== 'POST' || body === undefined) return undefined
  const pattern = path.endsWith('$batch')
    ? FIRST_OPERATION
    : /\/Tables(?:\(\))?$/i.test(path)
      ? NEW_TABLE
      : undefined
  const name = pattern?.exec(body.slice(0, LOOKED_AT))?.[1]
  return name && ownText(name)
}

/** The same text by itself: as a part of the body it would keep all of the body in memory. */
function ownText(part: string): string {
  return Buffer.from(part, 'latin1').toString('latin1')
}
