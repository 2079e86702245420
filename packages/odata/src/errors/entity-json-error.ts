import { InputError } from './input-error.ts'

/** Thrown when a text that should be the JSON of one entity is none. */
export class EntityJsonError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'EntityJsonError'
  /** What programs branch on. */
  override readonly code = 'InvalidEntityJson'
}
