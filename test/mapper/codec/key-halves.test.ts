import { Entity, key, modelOf, Property } from '@rowkey/mapper'
import { checkEntityKey, checkKeyText } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { KeyHalves } from '../../../packages/mapper/src/codec/key-halves.ts'
import { Row } from '../../../packages/mapper/src/member/row.ts'
import { invalidKey } from '../../support/rejections.ts'
import { Customer } from '../customer.ts'
import { objectsOf } from '../object-codec.ts'
import { changesOf } from '../object-writes.ts'

const keys = new KeyHalves(modelOf(Customer), checkEntityKey)

describe('KeyHalves', () => {
  it('reads back what it writes', () => {
    const members: Record<string, unknown> = {}
    keys.read(members, { PartitionKey: 'Smith', RowKey: 'Jeff' }, false)
    expect(keys.write(members)).toEqual({ partitionKey: 'Smith', rowKey: 'Jeff' })
  })

  it('names the member with an invalid key', () => {
    const write = (lastName: unknown, firstName: unknown) => () =>
      keys.write({ lastName, firstName })
    expect(write('a/b', 'c')).toThrow(invalidKey)
    expect(write('a/b', 'c')).toThrow(/^Customer\.lastName: PartitionKey must not contain /)
    expect(write('a', undefined)).toThrow(
      /^Customer\.firstName: RowKey must be a string; got undefined\./,
    )
  })

  it('uses the check of its constructor', () => {
    const lenient = new KeyHalves(modelOf(Customer), checkKeyText)
    const key = lenient.write({ lastName: 'a/b', firstName: '"' })
    expect(Row.of(key).text).toBe('{"PartitionKey":"a/b","RowKey":"\\""}')
  })
})

@Entity({ partitionKey: key`${'state'};${'city'}`, rowKey: key`${'id:8'}_${'mail:hash'}` })
class Person {
  state = ''
  city = ''
  id = 0
  @Property() mail!: string
  @Property() phone?: string
}

const codec = objectsOf(modelOf(Person))

function person(members: Partial<Person>): Person {
  return Object.assign(new Person(), { state: 'WA', city: 'Seattle', id: 7, mail: 'x' }, members)
}

describe('a key of parts', () => {
  it('R-100: is written from the members, which are stored nowhere else', () => {
    const { partitionKey, rowKey } = codec.keyOf(person({}))
    expect(partitionKey).toBe('WA;Seattle')
    expect(rowKey).toMatch(/^00000007_[\w-]{43}$/)
    expect(JSON.parse(codec.write(person({ phone: '555' })))).toEqual({
      PartitionKey: partitionKey,
      RowKey: rowKey,
      mail: 'x',
      phone: '555',
    })
  })

  it('is read back into the members', () => {
    const stored = JSON.parse(codec.write(person({ city: 'Walla;Walla' })))
    const read = codec.read(stored)
    expect(read).toBeInstanceOf(Person)
    expect(read).toEqual(person({ city: 'Walla;Walla' }))
    expect(changesOf(codec, read)).toBeUndefined()
  })

  it('names the class and the part that cannot be written', () => {
    const call = () => codec.keyOf(person({ state: 'W;A' }))
    expect(call).toThrow(expect.objectContaining({ name: 'InputError', code: 'InvalidKeyPart' }))
    expect(call).toThrow(/^Person.state: .*';'/)
    const slash = () => codec.keyOf(person({ city: 'a/b' }))
    expect(slash).toThrow(invalidKey)
    expect(slash).toThrow(/^Person: PartitionKey must not contain .*; it has "\/" at position 4\./)
  })

  it('rejects an attempt to read an entity whose key has another form', () => {
    expect(() => codec.read({ PartitionKey: 'WA', RowKey: '7' })).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'KeyMismatch' }),
    )
  })
})
