import { defineEntity, key, longText, ModelError, Operation, union } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareIndexes, declareOutbox, declareSummaries } from '@rowkey/patterns'
import { ETagMismatchError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { announcedTo } from '../announcing.ts'
import { defineEmployee, jones, office } from '../employees.ts'
import { ENTRIES_OF_JONES, staff } from './indexed-staff.ts'

/** Declares two types of one table that only a discriminator tells apart. */
function markedTypes() {
  const keys = { partitionKey: key`${'team'}`, rowKey: key`${'id'}` }
  const schema = z.object({ team: z.string(), id: z.string(), mail: z.string() })
  const Person = defineEntity({ name: 'staff', ...keys, schema, discriminator: { type: 'P' } })
  const Group = defineEntity({ name: 'staff', ...keys, schema, discriminator: { type: 'G' } })
  return { Person, Group }
}

describe('declareIndexes', () => {
  it('a write by ETag fails when another program changed the row, with the error of a single write', async () => {
    const { employees, Employee, rival, rowKeys } = await staff()
    const employee = await employees.insert({ ...jones })
    await rival()
      .table(Employee)
      .merge({ ...jones, lastName: 'Rival' }, { etag: '*' })
    employee.lastName = 'Mine'
    await expect(employees.merge(employee)).rejects.toBeInstanceOf(ETagMismatchError)
    expect(await rowKeys()).toEqual([...ENTRIES_OF_JONES.slice(0, 3), 'lastName Rival_000223'])
  })

  it('queries of the table never read entries', async () => {
    const { employees } = await staff()
    await employees.insert({ ...jones })
    const rows = await employees.query().where({ department: 'Sales' }).toArray()
    expect(rows.map(({ id }) => id)).toEqual([223])
    expect(await employees.query().where({ department: 'Sales' }).count()).toBe(1)
  })

  it('rejects a batch over two partitions as one, whatever its entries are', async () => {
    const { employees, sent } = await staff()
    const batch = employees
      .batch()
      .insert({ ...jones })
      .insert({ ...jones, department: 'Ops' })
    await expect(batch.submit()).rejects.toMatchObject({
      code: 'InvalidBatch',
      message: expect.stringContaining('one PartitionKey'),
    })
    expect(sent).toEqual([])
  })
})

describe('reads by an index', () => {
  it('are rejected before the index is built', async () => {
    const Employee = defineEmployee()
    const indexes = declareIndexes(Employee, {
      email: { rowKey: key`${'email'}`, unique: true },
    })
    const { account } = office()
    await account.table('employees').create()
    await account.table('employees').insert(new DynamicEntity('Sales', 'empid_000001'))
    const reading = indexes.on(account).find('email', { department: 'Sales', email: 'a' })
    await expect(reading).rejects.toMatchObject({ code: 'NotReadable' })
  })

  it('find rejects an index that is not unique, and an unknown one', async () => {
    const { indexed } = await staff()
    await expect(indexed.find('lastName' as 'email', jones)).rejects.toMatchObject({
      code: 'InvalidPatternOption',
    })
    await expect(indexed.find('none' as 'email', jones)).rejects.toMatchObject({
      code: 'InvalidPatternOption',
    })
  })
})

describe('a declaration', () => {
  const declared = (index: object) => () =>
    declareIndexes(defineEmployee(), { index: index as { rowKey: never } })

  it.each([
    ['an unknown property', { rowKey: key`x_${'nothing'}`, unique: true }],
    ['a key that two rows can share', { rowKey: key`x_${'lastName'}` }],
    ['an unknown projection', { rowKey: key`x_${'email'}`, unique: true, project: ['nothing'] }],
  ])('rejects %s', (_, index) => {
    expect(declared(index)).toThrow(ModelError)
  })

  it('rejects a second declaration of an index that differs from the first', () => {
    const Employee = defineEmployee()
    const email = { rowKey: key`${'email'}_${'id:6'}` }
    declareIndexes(Employee, { email })
    declareIndexes(Employee, { email, lastName: { rowKey: key`${'lastName'}_${'id:6'}` } })
    const differing = () => declareIndexes(Employee, { email: { ...email, unique: true } })
    expect(differing).toThrow(ModelError)
    expect(differing).toThrow(/index email is declared twice in this program.*another name/)
  })

  it('rejects a copy of a property that is cut into several, and no other', () => {
    const Letter = defineEntity({
      name: 'letters',
      partitionKey: key`${'box'}`,
      rowKey: key`letter_${'id:6'}`,
      schema: z.object({ box: z.string(), id: z.int(), from: z.string(), text: z.string() }),
      columns: { text: longText() },
    })
    const declare = (project: 'from' | 'text') => () =>
      declareIndexes(Letter, {
        from: { rowKey: key`from_${'from'}_${'id:6'}`, project: [project] },
      })
    expect(declare('text')).toThrow(/'text' is cut into several/)
    expect(declare('from')).not.toThrow()
  })

  it('keeps the writes of a table that was opened before', async () => {
    const Employee = defineEmployee()
    const { account } = office()
    const employees = account.table(Employee)
    const indexes = declareIndexes(Employee, {
      email: { rowKey: key`${'email'}`, unique: true },
    })
    await employees.create()
    await indexes.on(account).build()
    await employees.insert({ department: 'Sales', id: 1, firstName: 'Don', email: 'j@x' })
    const found = await indexes.on(account).find('email', { department: 'Sales', email: 'j@x' })
    expect(found?.id).toBe(1)
  })

  it('keeps the entries of each type in a table of several types, also in one batch', async () => {
    const Employee = defineEmployee()
    const { account } = office()
    const Department = defineEntity({
      name: 'employees',
      partitionKey: key`${'department'}`,
      rowKey: key`department`,
      schema: z.object({ department: z.string(), manager: z.string().optional() }),
    })
    const staff = account.table('employees', union(Employee, Department))
    const indexes = declareIndexes(Employee, {
      email: { rowKey: key`${'email'}`, unique: true },
    })
    const indexed = indexes.on(account)
    await staff.create()
    await indexed.state('email')
    await staff
      .batch()
      .insert(Employee, { ...jones })
      .insert(Department, { department: 'Sales', manager: 'Jones' })
      .submit()
    expect((await indexed.find('email', jones))?.id).toBe(jones.id)
    const twin = staff.insert(Object.assign(Employee.create(), { ...jones, id: 9 }))
    await expect(twin).rejects.toMatchObject({ code: 'UniqueValueTaken' })
    const rows = await staff.query().where({ department: 'Sales' }).toArray()
    expect(rows).toHaveLength(2)
    const own = staff.ofType(Employee).query().where({ department: 'Sales', email: jones.email })
    expect(own.explain().index).toBe('email')
    expect(await own.count()).toBe(1)
    await staff.delete(['Sales', 'empid_000223'], { etag: '*' })
    expect(await indexed.verify()).toMatchObject({ rows: 0, kept: 0, found: 0 })
    await expect(async () => staff.deletePartition('Sales')).rejects.toThrow('deletePartition')
  })

  it('keeps entries out of a table whose types only a discriminator tells apart', async () => {
    const { account } = office()
    const { Person, Group } = markedTypes()
    const indexes = declareIndexes(Person, { mail: { rowKey: key`${'mail'}_${'id'}` } })
    const staff = account.table('staff', union(Person, Group))
    await staff.create()
    await indexes.on(account).build()
    const one = { team: 'a', id: '1', mail: 'x' }
    await staff
      .batch()
      .insert(Person, one)
      .insert(Group, { ...one, id: '2' })
      .submit()
    expect(await staff.query().where({ team: 'a' }).count()).toBe(2)
    const reserving = async () =>
      staff
        .batch()
        .insert(Group, { ...one, id: '~rk~x' })
        .submit()
    await expect(reserving()).rejects.toMatchObject({ code: 'ReservedKey' })
    const others = account.table('staff', union(Person, Group, { unknown: 'dynamic' }))
    expect(await others.query().where({ team: 'a' }).count()).toBe(2)
    const found = staff.ofType(Person).query().where({ team: 'a', mail: 'x' })
    expect((await found.toArray()).map(({ id }) => id)).toEqual(['1'])
  })

  it('R-146: takes no row of the catalogue for an entity whose RowKey begins in the same way', async () => {
    const { account } = office()
    const text = { team: z.string(), id: z.string(), mail: z.string().optional() }
    const Person = defineEntity({
      name: 'staff',
      partitionKey: key`${'team'}`,
      rowKey: key`row${'id'}`,
      schema: z.object(text),
    })
    const indexes = declareIndexes(Person, { mail: { rowKey: key`${'mail'}`, unique: true } })
    const staff = account.table(Person)
    await staff.create()
    await indexes.on(account).build()
    expect(await indexes.on(account).state('mail')).toBe('readable')
    await staff.insert({ team: 'a', id: '1', mail: 'x' })
    const found = await staff.query().allowTableScan().toArray()
    expect(found.map(({ id }) => id)).toEqual(['1'])
  })

  it('R-146: takes no row of the catalogue for a row of another type in a union', async () => {
    const { account } = office()
    const partitionKey = key`${'team'}`
    const schema = z.object({ team: z.string(), id: z.string(), mail: z.string().optional() })
    const Person = defineEntity({ name: 'staff', partitionKey, rowKey: key`m${'id'}`, schema })
    const Group = defineEntity({ name: 'staff', partitionKey, rowKey: key`row${'id'}`, schema })
    const indexes = declareIndexes(Person, {
      mail: { rowKey: key`${'mail'}`, unique: true },
    })
    const staff = account.table('staff', union(Person, Group))
    await staff.create()
    await indexes.on(account).build()
    await staff.batch().insert(Person, { team: 'a', id: '1', mail: 'x' }).submit()
    await staff.batch().insert(Group, { team: 'a', id: '2' }).submit()
    const found = await staff.query().allowTableScan().toArray()
    expect(found.map(({ id }) => id)).toEqual(['1', '2'])
  })

  it('R-146: builds, verifies and counts only the one row of a model with a fixed RowKey', async () => {
    const { account } = office()
    const partitionKey = key`${'team'}`
    const schema = z.object({ team: z.string(), id: z.string().optional(), mail: z.string() })
    const Team = defineEntity({ name: 'staff', partitionKey, rowKey: key`team`, schema })
    const Member = defineEntity({
      name: 'staff',
      partitionKey,
      rowKey: key`team_${'id'}`,
      schema: schema.extend({ id: z.string() }),
    })
    const staff = account.table('staff', union(Team, Member))
    await staff.create()
    await staff.batch().insert(Member, { team: 'a', id: '1', mail: 'x' }).submit()
    await staff.batch().insert(Team, { team: 'b', mail: 'y' }).submit()
    const indexes = declareIndexes(Team, { mail: { rowKey: key`${'mail'}`, unique: true } })
    const summaries = declareSummaries(Team, { all: { rowKey: key`all` } })
    await indexes.on(account).build()
    await summaries.on(account).build()
    const find = (team: string, mail: string) => indexes.on(account).find('mail', { team, mail })
    expect(await find('a', 'x')).toBeUndefined()
    expect(await find('b', 'y')).toEqual({ team: 'b', mail: 'y' })
    expect(await indexes.on(account).verify()).toMatchObject({ found: 0, rows: 1 })
    const counted = ['a', 'b'].map((team) => summaries.on(account).get('all', { team }))
    expect((await Promise.all(counted)).map(({ count }) => count)).toEqual([0, 1])
  })

  it('R-146: a union with unknown rows shows a row whose key begins like entries in other partitions', async () => {
    const { account } = office()
    const schema = z.object({ team: z.string(), id: z.string(), mail: z.string().optional() })
    const Person = defineEntity({
      name: 'staff',
      partitionKey: key`people_${'team'}`,
      rowKey: key`id_${'id'}`,
      schema,
    })
    const Mail = defineEntity({
      name: 'staff',
      partitionKey: key`mails_${'team'}`,
      rowKey: key`mail_${'id'}`,
      schema,
    })
    const indexes = declareIndexes(Person, {
      mail: { rowKey: key`${'mail'}`, unique: true },
    })
    const staff = account.table('staff', union(Person, Mail, { unknown: 'dynamic' }))
    await staff.create()
    await indexes.on(account).build()
    await staff.batch().insert(Person, { team: 'a', id: '1', mail: 'x' }).submit()
    await staff.batch().insert(Mail, { team: 'a', id: '2' }).submit()
    const found = await staff.query().allowTableScan().toArray()
    expect(found.map((row) => 'id' in row && row.id)).toEqual(['2', '1'])
  })

  it('R-146: follows a row whose type changes, where only a discriminator tells types apart', async () => {
    const { account } = office()
    const { Person, Group } = markedTypes()
    const indexes = declareIndexes(Person, { mail: { rowKey: key`${'mail'}`, unique: true } })
    const counts = [
      declareSummaries(Person, { all: { rowKey: key`all` } }),
      declareSummaries(Group, { all: { rowKey: key`all` } }),
    ]
    const countsNow = () =>
      Promise.all(
        counts.map(async (each) => (await each.on(account).get('all', { team: 'a' })).count),
      )
    const staff = account.table('staff', union(Person, Group))
    await staff.create()
    const indexed = indexes.on(account)
    await indexed.build()
    const one = { team: 'a', id: '1', mail: 'x' }
    await staff.batch().insert(Person, one).submit()
    await staff.batch().insertOrReplace(Group, one).submit()
    expect(await countsNow()).toEqual([0, 1])
    expect(await indexed.find('mail', one)).toBeUndefined()
    await staff
      .batch()
      .insert(Person, { ...one, id: '2' })
      .submit()
    await staff.bulk().execute([Operation.insertOrReplace(Person, { ...one, mail: 'y' })])
    expect(await countsNow()).toEqual([2, 0])
    expect(await indexed.verify()).toMatchObject({ rows: 2, kept: 2, found: 0 })
    // A program without the union leaves the entry.
    const row = new DynamicEntity('a', '2', { type: 'G', mail: 'x' })
    await account.table('staff').insertOrReplace(row)
    expect((await indexed.verify()).findings).toMatchObject([{ kind: 'dangling' }])
    await staff
      .batch()
      .insert(Person, { ...one, id: '3' })
      .submit()
    expect(await indexed.verify()).toMatchObject({ rows: 2, kept: 2, found: 0 })
  })

  it('R-146: ofType keeps the entries of a row that a type without indexes takes', async () => {
    const { account } = office()
    const { Person, Group } = markedTypes()
    const indexes = declareIndexes(Person, { mail: { rowKey: key`${'mail'}`, unique: true } })
    const staff = account.table('staff', union(Person, Group))
    await staff.create()
    await indexes.on(account).build()
    const one = { team: 'a', id: '1', mail: 'x' }
    await staff.ofType(Person).insert(one)
    await staff.ofType(Group).insertOrReplace(one)
    expect(await indexes.on(account).verify()).toMatchObject({ rows: 0, kept: 0, found: 0 })
    const like = staff.ofType(Group).insert({ ...one, id: '~rk~y' })
    await expect(like).rejects.toMatchObject({ code: 'ReservedKey' })
  })

  it('R-146: ofType shows no entry of another type', async () => {
    const { account } = office()
    const partitionKey = key`${'team'}`
    const schema = z.object({ team: z.string(), id: z.string(), mail: z.string().optional() })
    const Person = defineEntity({ name: 'staff', partitionKey, rowKey: key`p${'id'}`, schema })
    const Group = defineEntity({ name: 'staff', partitionKey, rowKey: key`m${'id'}`, schema })
    const indexes = declareIndexes(Person, { mail: { rowKey: key`${'mail'}`, unique: true } })
    const staff = account.table('staff', union(Person, Group))
    await staff.create()
    await indexes.on(account).build()
    await staff.ofType(Person).insert({ team: 'a', id: '1', mail: 'x' })
    await staff.ofType(Group).insert({ team: 'a', id: '2' })
    const groups = await staff.ofType(Group).query().allowTableScan().toArray()
    expect(groups.map(({ id }) => id)).toEqual(['2'])
  })

  it('R-146: shows a row whose RowKey is like an entry of a type in other partitions', async () => {
    const { account } = office()
    const schema = z.object({ team: z.string(), id: z.string(), mail: z.string().optional() })
    const common = { name: 'staff', schema }
    const partitionKeys = [key`p_${'team'}`, key`g_${'team'}`] as const
    const Person = defineEntity({
      ...common,
      partitionKey: partitionKeys[0],
      rowKey: key`p${'id'}`,
    })
    const Group = defineEntity({ ...common, partitionKey: partitionKeys[1], rowKey: key`m${'id'}` })
    declareIndexes(Person, { mail: { rowKey: key`${'mail'}`, unique: true } })
    const staff = account.table('staff', union(Person, Group))
    await staff.create()
    await staff.batch().insert(Person, { team: 'a', id: '1', mail: 'x' }).submit()
    await staff.batch().insert(Group, { team: 'a', id: 'ail_x' }).submit()
    const rows = await staff.query().allowTableScan().toArray()
    expect(rows.map(({ id }) => id)).toEqual(['ail_x', '1'])
    const groups = await staff.ofType(Group).query().allowTableScan().toArray()
    expect(groups.map(({ id }) => id)).toEqual(['ail_x'])
  })

  it('keeps entries out of a table whose types the beginnings of PartitionKeys tell apart', async () => {
    const { account } = office()
    const rowKey = key`${'id'}`
    const schema = z.object({ team: z.string(), id: z.string(), mail: z.string().optional() })
    const common = { name: 'staff', rowKey, schema }
    const Person = defineEntity({ ...common, partitionKey: key`p_${'team'}` })
    const Group = defineEntity({ ...common, partitionKey: key`g_${'team'}` })
    declareIndexes(Person, { mail: { rowKey: key`${'mail'}_${'id'}` } })
    const staff = account.table('staff', union(Person, Group))
    await staff.create()
    await staff.batch().insert(Person, { team: 'a', id: '1', mail: 'x' }).submit()
    await staff.batch().insert(Group, { team: 'a', id: 'mail_x_1' }).submit()
    const rows = await staff.query().allowTableScan().toArray()
    expect(rows.map(({ id }) => id)).toEqual(['mail_x_1', '1'])
  })

  it('keeps entries and other kept rows out of a table of several types with rows of undeclared types', async () => {
    const { account } = office()
    const Employee = defineEmployee()
    declareIndexes(Employee, { email: { rowKey: key`${'email'}`, unique: true } })
    declareSummaries(Employee, { all: { rowKey: key`all` } })
    declareOutbox(Employee, { messages: () => ['hello'], ...announcedTo() })
    const mail = { partitionKey: key`${'email'}`, rowKey: key`${'department'}_${'id:6'}` }
    const eventual = declareIndexes(Employee, { mail }, { worker: announcedTo().worker })
    const staff = account.table('employees', union(Employee, { unknown: 'dynamic' }))
    await staff.create()
    await staff.insert(new DynamicEntity('Sales', 'note', { text: 'hello' }))
    await staff.insert(Object.assign(Employee.create(), jones))
    await eventual.on(account).refresh(jones)
    const shown = await staff.query().allowTableScan().toArray()
    expect(shown).toHaveLength(2)
    expect(await staff.query().where({ department: 'Sales' }).count()).toBe(2)
    const all = await account.table('employees').query().allowTableScan().count()
    expect(all).toBeGreaterThan(8)
    const writing = staff.insertOrReplace(new DynamicEntity('Sales', '~rk~x', { text: 'mine' }))
    await expect(writing).rejects.toMatchObject({ code: 'ReservedKey' })
    await staff.insert(new DynamicEntity('Sales', 'emails', { text: 'hello' }))
  })
})
