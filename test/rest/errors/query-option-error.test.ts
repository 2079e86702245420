import { InputError } from '@rowkey/odata'
import { QueryOptionError, queryEntities } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso } from '../people.ts'

describe('QueryOptionError', () => {
  it('is an InputError with a name and a code of its own', () => {
    expect(() => queryEntities.toRequest({ table: 'people', top: 0 }, contoso)).toThrow(
      QueryOptionError,
    )
    expect(() => queryEntities.toRequest({ table: 'people', top: 0 }, contoso)).toThrow(InputError)
    expect(() => queryEntities.toRequest({ table: 'people', top: 0 }, contoso)).toThrow(
      expect.objectContaining({ name: 'QueryOptionError', code: 'InvalidQueryOption' }),
    )
  })
})
