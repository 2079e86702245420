import type { EdmCodec } from './edm-codec.ts'
import { valueRefused } from './value-refused.ts'

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** As the service writes it: such a text is kept, and no second one made of it. */
const LOWER_GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Guid: 8-4-4-4-12 hexadecimal digits in either case, held in lower case as the service does. */
export const guidCodec: EdmCodec<'Guid'> = {
  type: 'Guid',
  accept: acceptGuid,
  annotates: () => true,
  writeJson: (value) => `"${value}"`,
  readJson: acceptGuid,
  printLiteral: (value) => `guid'${value}'`,
  // In one case, text order is the order of the 16 bytes as they are written.
  compare: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
}

/** Whether a value is a Guid's text, in either case. */
export function isGuid(given: unknown): given is string {
  return typeof given === 'string' && GUID.test(given)
}

function acceptGuid(given: unknown, name: string): string {
  if (typeof given === 'string' && LOWER_GUID.test(given)) return given
  if (isGuid(given)) return given.toLowerCase()
  const takes =
    '32 hexadecimal digits hyphenated 8-4-4-4-12, without braces, such as crypto.randomUUID() gives'
  throw valueRefused('Guid', name, given, takes)
}
