import type { EdmCodec } from './edm-codec.ts'
import { valueRefused } from './value-refused.ts'

/** Boolean: `true` and `false`, and nothing that merely looks like them. */
export const booleanCodec: EdmCodec<'Boolean'> = {
  type: 'Boolean',
  accept: acceptBoolean,
  annotates: () => false,
  writeJson: String,
  readJson: acceptBoolean,
  printLiteral: String,
  compare: (a, b) => Number(a) - Number(b),
}

function acceptBoolean(given: unknown, name: string): boolean {
  if (typeof given === 'boolean') return given
  throw valueRefused('Boolean', name, given, 'true or false')
}
