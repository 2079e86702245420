import type { EdmCodec } from './edm-codec.ts'
import { valueRefused } from './value-refused.ts'

const TAKES =
  'whole numbers from -2147483648 to 2147483647; declare Int64 for larger ones, Double for fractions'

/** Int32: a whole `number` of 32 bits. It knows one zero, so -0 is taken as 0. */
export const int32Codec: EdmCodec<'Int32'> = {
  type: 'Int32',
  accept: acceptInt32,
  annotates: () => false,
  writeJson: String,
  readJson: acceptInt32,
  printLiteral: String,
  compare: (a, b) => a - b,
}

/** Whether a number is whole and has 32 bits; true of -0. */
export function isInt32(value: number): boolean {
  return (value | 0) === value
}

function acceptInt32(given: unknown, name: string): number {
  if (typeof given !== 'number' || !isInt32(given)) throw valueRefused('Int32', name, given, TAKES)
  return given | 0
}
