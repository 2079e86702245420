import { RowkeyError } from './rowkey-error.ts'

/**
 * Thrown when something the caller gave can never be right. Nothing has been sent.
 *
 * Subclasses say what kind of thing was wrong; their message names the thing, the rule and the fix.
 */
export abstract class InputError extends RowkeyError {
  abstract override readonly code: string
}
