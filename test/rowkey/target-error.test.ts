import { InputError, isRowkeyError } from '@rowkey/odata'
import { TargetError } from 'rowkey'
import { describe, expect, it } from 'vitest'

describe('TargetError', () => {
  const error = new TargetError({ target: 'file:' })

  it('is an InputError with a code of its own', () => {
    expect(error).toBeInstanceOf(InputError)
    expect(isRowkeyError(error)).toBe(true)
    expect([error.name, error.code]).toEqual(['TargetError', 'InvalidTarget'])
  })

  it('names what was given, and every way out', () => {
    expect(error.message).toMatch(/file:.*'memory:'.*connection string.*endpoint, credential/)
  })
})
