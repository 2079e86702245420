import { InputError } from '@rowkey/odata'

/** Thrown when the `rowkey` command is called with what it does not know. */
export class CommandError extends InputError {
  /** `CommandError`. */
  override readonly name = 'CommandError'
  /** `InvalidCommand`: what programs branch on. */
  override readonly code = 'InvalidCommand'
}
