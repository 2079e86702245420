import { restInputError } from './codes.ts'

/**
 * Throws the InputError of a part of Rowkey that a call needs and that cannot be loaded: the `catch` of each `import()`.
 *
 * @param cause - the error of the runtime, which names the file
 * @throws InputError with the code `PartNotLoaded`
 *
 * @example
 * ```ts
 * const { printReport } = await loadReports().catch(partNotLoaded)
 * ```
 */
export function partNotLoaded(cause: unknown): never {
  throw restInputError({
    code: 'PartNotLoaded',
    message:
      'A part of Rowkey that this call needs could not be loaded. Reload the page after a new deployment, or publish all files of the build.',
    cause,
  })
}
