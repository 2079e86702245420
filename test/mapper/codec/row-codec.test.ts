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

describe('over', () => {
  it('forwards what it does not do itself', () => {
    const codec = over(inner, {})
    const { entity, ...rest } = codec.read(raw)
    expect({ entity, ...rest }).toEqual(inner.read(raw))
    expect(rest.row.raw).toBe(raw)
    expect(codec.keyOf(entity)).toEqual(inner.keyOf(entity))
    expect(codec.reveal(raw)).toBe(raw)
    const from = { row: Row.read(raw), partial: false }
    const whole = { isRow: true, from }
    expect(codec.write(entity, whole).row.text).toBe(inner.write(entity, whole).row.text)
    const choose = () => true
    const [one, other] = [codec, inner].map((each) => each.writeChanges(entity, from, choose))
    expect(one).toEqual(other)
    expect(one?.row?.text).toBe(other?.row?.text)
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

  it('names the chosen properties of a merge, and shows each with its change and its stored value', () => {
    const { entity } = inner.read(raw)
    Object.assign(entity, { age: 40, rating: 1 })
    const seen: unknown[] = []
    const changes = inner.writeChanges(
      entity,
      { row: Row.read(raw), partial: false },
      ({ name }, change, stored) => {
        if (change !== undefined || stored !== undefined) seen.push([name, change, stored?.value])
        return name === 'age'
      },
    )
    expect(changes?.row?.text).toBe('{"PartitionKey":"Smith","RowKey":"Jeff","age":40}')
    expect(changes?.names).toEqual(['age'])
    expect(seen).toEqual([
      ['age', ',"age":40', 39],
      ['rating', expect.stringContaining('"rating":1.0'), undefined],
    ])
  })

  it('writes undeclared properties only of a whole row', () => {
    const { entity } = inner.read(raw)
    const from = { row: Row.read(raw), partial: false }
    expect(inner.write(entity, { isRow: true, from }).row.text).toContain('"extra":1')
    expect(inner.write(entity, { isRow: false, from }).row.text).not.toContain('extra')
  })
})
