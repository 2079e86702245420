import { jsonText, modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { columnCodec } from '../../../packages/mapper/src/codec/column-codec.ts'
import {
  changedMember,
  initialMember,
  wholeMember,
} from '../../../packages/mapper/src/codec/sent-member.ts'
import { Customer } from '../customer.ts'

const key = { partitionKey: 'a', rowKey: 'b' }
const column = columnCodec(modelOf(Customer), {
  property: 'member',
  name: 'm',
  type: undefined,
  converter: jsonText(),
})
const raw = { m: '[1, 2]' }
const state = { raw, etag: undefined, projected: false }

describe('wholeMember', () => {
  it('is the converted value, or the stored text where nobody changed it', () => {
    expect(wholeMember(column, { members: { member: [1] }, key, raw: undefined })).toBe(
      ',"m":"[1]"',
    )
    expect(wholeMember(column, { members: { member: [1, 2] }, key, raw })).toBe(',"m":"[1, 2]"')
    expect(wholeMember(column, { members: {}, key, raw: undefined })).toBe('')
  })
})

describe('changedMember', () => {
  it('is empty where nobody changed it, unless what is stored is in doubt', () => {
    const entity = { members: { member: [1, 2] }, key, raw }
    expect(changedMember(column, entity, state)).toBe('')
    const doubtful = { ...state, doubtful: new Set(['m']) }
    expect(changedMember(column, entity, doubtful)).toBe(',"m":"[1, 2]"')
    expect(changedMember(column, { ...entity, members: { member: [] } }, state)).toBe(',"m":"[]"')
  })
})

describe('initialMember', () => {
  it('is what a merge would write', () => {
    expect(initialMember(column, [], { PartitionKey: 'a', RowKey: 'b' })).toBe(',"m":"[]"')
  })
})
