import { defineEntity, key } from '@rowkey/mapper'
import { declareIndexes } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { announcedTo } from '../announcing.ts'
import { defineEmployee, office } from '../employees.ts'

describe('the declaration of an index', () => {
  const rowKey = key`email_${'email'}`

  it('rejects keys that two entities could have', () => {
    const declare = () => declareIndexes(defineEmployee(), { email: { rowKey } })
    expect(declare).toThrow(/must end with the entity's own RowKey. Add \$\{'id'\}/)
    const eventual = { email: { partitionKey: key`${'email'}`, rowKey: key`email_${'id:6'}` } }
    const declareOther = () =>
      declareIndexes(defineEmployee(), eventual, { worker: announcedTo().worker })
    expect(declareOther).toThrow(/all properties of the entity's own key. Add \$\{'department'\}/)
  })

  it('names properties of the entity only, for the compiler, too', () => {
    const Employee = defineEmployee()
    const email = { rowKey: key`email_${'mail'}`, unique: true } as const
    // @ts-expect-error: the entity has no property mail
    const wrong = () => declareIndexes(Employee, { email })
    expect(wrong).toThrow("'mail' is not a stored property")
    const indexes = declareIndexes(Employee, {
      email: { rowKey, unique: true },
      lastName: { rowKey: key`lastname_${'lastName'}_${'id:6'}` },
    })
    const find = async () => {
      const indexed = indexes.on(office().account)
      await indexed.find('email', { department: 'Sales', email: 'a@x' })
      // @ts-expect-error: the index needs email
      await indexed.find('email', { department: 'Sales' })
      // @ts-expect-error: no property is called mail or pp
      await indexed.find('email', { mail: 5, pp: 'x' })
      // @ts-expect-error: the index is not unique
      await indexed.find('lastName', { department: 'Sales', lastName: 'Jones' })
    }
    expect(find).toBeTypeOf('function')
  })

  it('rejects a part of the key under whose name another property is stored', () => {
    const Visit = defineEntity({
      name: 'visits',
      partitionKey: key`${'guest'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ guest: z.string(), id: z.string(), host: z.string(), room: z.string() }),
      storeAs: { host: 'guest', room: 'id' },
    })
    const room = { rowKey: key`room_${'room'}~${'id'}` }
    expect(() => declareIndexes(Visit, { room })).toThrow("room is stored as 'id'")
    const host = { partitionKey: key`${'host'}`, rowKey: key`host_${'guest'}~${'id'}` }
    const declare = () => declareIndexes(Visit, { host }, { worker: announcedTo().worker })
    expect(declare).toThrow("host is stored as 'guest'")
  })

  it('rejects a copy of a property that is stored under the name of the key in an entry', () => {
    const Visit = defineEntity({
      name: 'visits',
      partitionKey: key`${'guest'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ guest: z.string(), id: z.string(), host: z.string(), room: z.string() }),
      storeAs: { host: 'IndexedRowKey', room: 'IndexedPartitionKey' },
    })
    const rowKey = key`room_${'room'}~${'id'}`
    const host = { rowKey, project: ['host'] } as const
    expect(() => declareIndexes(Visit, { host })).toThrow(
      "Its entries hold the key of their entity as 'IndexedRowKey', the stored name of host.",
    )
    const room = { partitionKey: key`${'guest'}`, rowKey, project: ['room'] } as const
    const declare = () => declareIndexes(Visit, { room }, { worker: announcedTo().worker })
    expect(declare).toThrow("'IndexedPartitionKey', the stored name of room")
    declareIndexes(Visit, { room: { rowKey, project: ['room'] } })
  })

  it('rejects a sameSince after the version of the model', () => {
    const declare = () =>
      declareIndexes(defineEmployee(), { email: { rowKey, unique: true, sameSince: 2 } })
    expect(declare).toThrow('Its sameSince is 2, and the model has version 1.')
  })
})
