import { EntityNotFoundError, TableNotFoundError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { settleDeletion } from '../../../packages/rest/src/truth/settle-deletion.ts'
import { etag, jeff } from '../people.ts'
import { refusalOf } from './a-witness.ts'

const gone = new EntityNotFoundError(refusalOf(404, 'ResourceNotFound'))
const noTable = new TableNotFoundError(refusalOf(404, 'TableNotFound'))

describe('settleDeletion', () => {
  it('takes what is not there for deleted', () => {
    expect(settleDeletion(gone, { ...jeff, etag: '*' })).toEqual({ outcome: 'applied', output: {} })
  })

  it('decides nothing where the delete went by an ETag, or the table is gone', () => {
    expect(settleDeletion(gone, { ...jeff, etag })).toEqual({ outcome: 'unknown' })
    expect(settleDeletion(noTable, { ...jeff, etag: '*' })).toEqual({ outcome: 'unknown' })
  })
})
