import { modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { columnCodec } from '../../../packages/mapper/src/codec/column-codec.ts'
import { Customer } from '../customer.ts'
import { aColumn } from './a-column.ts'

describe('columnCodec', () => {
  it('has everything ready under the stored name', () => {
    const column = aColumn('Int64')
    expect(column).toMatchObject({ annotation: 'm@odata.type', label: 'Person.member' })
    expect(column.member.plain).toBe('"m":')
    expect(column.member.annotated('Int64')).toBe('"m@odata.type":"Edm.Int64","m":')
  })

  it('knows a member that is computed', () => {
    const model = { ...modelOf(Customer), computed: ['age'] }
    const column = { property: 'age', name: 'age', type: undefined }
    expect(columnCodec(model, column).computed).toBe(true)
    expect(aColumn().computed).toBe(false)
  })
})
