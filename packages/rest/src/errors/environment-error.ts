import { InputError } from '@rowkey/odata'

/** Thrown when environment variables do not say which account to use, or as whom. */
export class EnvironmentError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'EnvironmentError'
  /** What programs branch on. */
  override readonly code = 'InvalidEnvironment'
}
