import { describe, expect, it } from 'vitest'
import { difference, writeDifference } from '../../../packages/mapper/src/codec/difference.ts'
import type { Member, OriginalRow } from '../../../packages/mapper/src/codec/row-codec.ts'
import { Row } from '../../../packages/mapper/src/member/row.ts'

const key = { partitionKey: 'a', rowKey: 'b' }
const from: OriginalRow = { row: Row.of(key), partial: false }
const stored = { type: 'Int32', value: 1 } as const

const member = (name: string, state: Member['state'], rest: Partial<Member> = {}): Member => ({
  property: { name, label: `Person.${name}` },
  stored: undefined,
  state,
  ...rest,
})
const same = member('same', 'same', { stored })
const changed = member('changed', 'changed', { stored, text: ',"changed":2' })
const added = member('added', 'changed', { text: ',"added":2' })
const absent = member('absent', 'missing')
const members = [same, changed, added, absent]

describe('the difference of a merge', () => {
  it('has what changed, and what was added', () => {
    expect(difference(members, from, 'merge')).toEqual([changed, added])
  })

  it('has what is in doubt, too, and not a default that the object only shows', () => {
    const doubtful = new Set(['same'])
    expect(difference(members, { ...from, doubtful }, 'merge')).toEqual([same, changed, added])
    const initial = new Map([['added', ',"added":2']])
    expect(difference(members, { ...from, initial }, 'merge')).toEqual([changed])
  })

  it('has all values where nothing is known of the row', () => {
    const all = [same, changed, added]
    expect(difference(members, undefined, 'merge')).toEqual(all)
    expect(difference(members, { ...from, isOther: true }, 'merge')).toEqual(all)
  })

  it.each([
    ['is stored', [member('m', 'missing', { stored })], from],
    ['may be stored', [member('m', 'missing')], { ...from, doubtful: new Set(['m']) }],
  ])('R-09: is rejected when a property %s, and the object has no value', (problem, given, row) => {
    expect(() => difference(given, row, 'merge')).toThrow(problem)
  })
})

describe('the difference of an upsert', () => {
  it('has all values, and not those that the object only shows', () => {
    expect(difference(members, from, 'upsert')).toEqual([same, changed, added])
    const part = { ...from, partial: true, initial: new Map([['added', ',"added":2']]) }
    expect(difference(members, part, 'upsert')).toEqual([same, changed])
  })
})

describe('writeDifference', () => {
  const compared = {
    key,
    members: [same],
    write: (chosen: readonly Member[]) => ({
      row: Row.of(key, ',"written":1'),
      names: chosen.map(({ property }) => property.name),
    }),
  }

  it('writes the key of a merge that has nothing to send', () => {
    const { row, names } = writeDifference(compared, from, 'merge')
    expect([row.text, names]).toEqual(['{"PartitionKey":"a","RowKey":"b"}', []])
  })

  it('writes what is chosen of an upsert', () => {
    const { row, names } = writeDifference(compared, from, 'upsert')
    expect([row.text, names]).toEqual(['{"PartitionKey":"a","RowKey":"b","written":1}', ['same']])
  })
})
