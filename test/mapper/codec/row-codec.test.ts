import { modelOf } from '@rowkey/mapper'
import { checkEntityKey } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { ClassCodec } from '../../../packages/mapper/src/codec/class-codec.ts'
import { over } from '../../../packages/mapper/src/codec/row-codec.ts'
import { Row } from '../../../packages/mapper/src/member/row.ts'
import { snapshotOf } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import { Customer } from '../customer.ts'

const inner = new ClassCodec(modelOf(Customer), checkEntityKey)
const raw = { PartitionKey: 'Smith', RowKey: 'Jeff', age: 39, extra: 1, 'odata.etag': 'W/"1"' }
const from = { row: Row.read(raw), partial: false }
const MERGE = { kind: 'merge' } as const

describe('over', () => {
  it('forwards what it does not do itself', () => {
    const codec = over(inner, {})
    const { entity, ...rest } = codec.read(raw)
    expect({ entity, ...rest }).toEqual(inner.read(raw))
    expect(rest.row.raw).toBe(raw)
    expect(codec.keyOf(entity)).toEqual(inner.keyOf(entity))
    expect(codec.reveal(raw)).toBe(raw)
    expect(codec.write(entity, from).row.text).toBe(inner.write(entity, from).row.text)
    const [one, other] = [codec, inner].map((each) => each.compare(entity, from, MERGE))
    expect(one?.members).toEqual(other?.members)
  })

  it('does some of the work itself', () => {
    const codec = over(inner, { reveal: () => ({ PartitionKey: 'x' }) })
    expect(codec.reveal(raw)).toEqual({ PartitionKey: 'x' })
  })
})

describe('a codec', () => {
  it('attaches nothing to an entity', () => {
    expect(snapshotOf(inner.read(raw).entity)).toBeUndefined()
  })

  it('shows each property beside its stored value, and writes those that are chosen', () => {
    const { entity } = inner.read(raw)
    Object.assign(entity, { age: 40, rating: 1 })
    const { key, members, write } = inner.compare(entity, from, MERGE)
    expect(key).toEqual({ partitionKey: 'Smith', rowKey: 'Jeff' })
    const shown = members.map(({ property, state, text, stored }) => {
      return [property.name, state, text, stored?.value]
    })
    expect(shown.filter(([, state]) => state !== 'missing')).toEqual([
      ['age', 'changed', ',"age":40', 39],
      ['rating', 'changed', expect.stringContaining('"rating":1.0'), undefined],
    ])
    const part = write(members.filter(({ property }) => property.name === 'age'))
    expect(part.row.text).toBe('{"PartitionKey":"Smith","RowKey":"Jeff","age":40}')
    expect(part.names).toEqual(['age'])
  })

  it('tells a value that is exactly the stored one from a changed one', () => {
    const { entity } = inner.read(raw)
    const states = (age: number | undefined) => {
      Object.assign(entity, { age })
      const { members } = inner.compare(entity, from, MERGE)
      return members.find(({ property }) => property.name === 'age')?.state
    }
    expect([39, 40, undefined].map(states)).toEqual(['same', 'changed', 'missing'])
  })

  it('writes undeclared properties only of a whole row', () => {
    const { entity } = inner.read(raw)
    expect(inner.write(entity, from).row.text).toContain('"extra":1')
    const { members, write } = inner.compare(entity, from, { kind: 'upsert' })
    expect(write(members).row.text).not.toContain('extra')
  })
})
