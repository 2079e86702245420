import type { DecodeErrorOptions } from './decode-error.ts'
import type { InputErrorOptions } from './input-error.ts'

/**
 * The codes of the errors of a package: the class that has each, when it occurs, and what to do.
 *
 * @internal
 */
export type ErrorCodes = Readonly<
  Record<string, { readonly class: string; readonly when: string; readonly fix: string }>
>

/**
 * The codes of a package that errors of one class have.
 *
 * @internal
 */
export type CodeOf<Codes extends ErrorCodes, Class extends string> = {
  [Code in keyof Codes]: Codes[Code]['class'] extends Class ? Code : never
}[keyof Codes]

/**
 * What a package makes an `InputError` from: its code is one of the package's.
 *
 * @internal
 */
export interface CodedInputError<Codes extends ErrorCodes> extends InputErrorOptions {
  readonly code: CodeOf<Codes, 'InputError'> & string
}

/**
 * What a package makes a `DecodeError` from: its code is one of the package's.
 *
 * @internal
 */
export interface CodedDecodeError<Codes extends ErrorCodes> extends DecodeErrorOptions {
  readonly code: CodeOf<Codes, 'DecodeError'> & string
}
