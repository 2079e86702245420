import { describe, expect, it } from 'vitest'
import { assignColumns } from '../../../packages/mapper/src/codec/class-codec.ts'
import { aColumn } from './a-column.ts'

const raw = { PartitionKey: 'a', RowKey: 'b' }

describe('assignColumns', () => {
  it('overwrites any earlier value with the stored one', () => {
    const members = { member: 'initial' }
    expect(assignColumns([aColumn('String')], members, { ...raw, m: 'stored' })).toBeUndefined()
    expect(members.member).toBe('stored')
  })

  it('keeps an initial value without a stored one, and records it by its stored name', () => {
    const members = { member: 'initial' }
    expect(assignColumns([aColumn('String')], members, raw)).toEqual(
      new Map([['m', ',"m":"initial"']]),
    )
    expect(members.member).toBe('initial')
  })

  it('keeps an initial value that cannot be stored, and the next write rejects it', () => {
    const members = { member: 'no guid' }
    expect(assignColumns([aColumn('Guid')], members, raw)).toBeUndefined()
    expect(members.member).toBe('no guid')
  })

  it.each([undefined, null])('records no initial value that is %o', (initial) => {
    const members = { member: initial }
    expect(assignColumns([aColumn()], members, raw)).toBeUndefined()
    expect(members.member).toBe(initial)
  })

  it('ignores computed members', () => {
    const members = { member: 'own' }
    const computed = { ...aColumn('String'), computed: true }
    assignColumns([computed], members, { ...raw, m: 'stored' })
    expect(members.member).toBe('own')
  })
})
