import { ProjectedEntityError } from '@rowkey/mapper'
import { InputError, isRowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('ProjectedEntityError', () => {
  it('is an InputError with a code of its own', () => {
    const error = new ProjectedEntityError({ message: 'No.' })
    expect(error).toMatchObject({ name: 'ProjectedEntityError', code: 'ProjectedEntity' })
    expect(error).toBeInstanceOf(InputError)
    expect(isRowkeyError(error)).toBe(true)
  })
})
