import type { InputError } from '@rowkey/odata'
import { localInputError } from './codes.ts'

/** An option with an invalid value. */
interface InvalidOption {
  /** The option and its owner: `port of listen`. */
  readonly name: string
  /** The value, which the message prints. */
  readonly value: unknown
  /** What to use: `a whole number from 0 to 65535`. */
  readonly rule: string
}

/** Makes the InputError of an option with an invalid value. */
export function invalidOption({ name, value, rule }: InvalidOption): InputError {
  const [option = name] = name.split(' of ')
  return localInputError({
    code: 'InvalidOptionValue',
    message: `Invalid ${name}: ${printValue(value)}. Use ${rule}.`,
    details: { option },
  })
}

function printValue(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}
