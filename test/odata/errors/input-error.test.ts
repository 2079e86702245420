import { InputError, isRowkeyError, RowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

/** One made up here, as other packages make theirs. */
class ColourError extends InputError {
  override readonly name = 'ColourError'
  override readonly code = 'InvalidColour'
}

describe('InputError', () => {
  it('is the base of errors that other packages add', () => {
    const error = new ColourError({ message: 'Green is no colour of ours.' })
    expect(error).toBeInstanceOf(RowkeyError)
    expect(isRowkeyError(error)).toBe(true)
    expect(error.code).toBe('InvalidColour')
  })
})
