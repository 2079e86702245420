import { defineEntity, key, longText, ModelError, Operation, union } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareIndexes, declareOutbox, declareSummaries, UniqueValueError } from '@rowkey/patterns'
import { startsWith } from '@rowkey/query'
import { EntityAlreadyExistsError, ETagMismatchError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { announcedTo } from '../announcing.ts'
import { defineEmployee, isBatch, jones, office } from '../employees.ts'

/** The employees with an index of each kind, on an empty table whose indexes are built. */
async function staff() {
  const Employee = defineEmployee()
  const indexes = declareIndexes(Employee, {
    email: { rowKey: key`${'email'}`, unique: true },
    lastName: { rowKey: key`${'lastName'}_${'id:6'}`, project: ['firstName'] },
    adult: { rowKey: key`${'age:8'}_${'id:6'}`, where: ({ age = 0 }) => age >= 18 },
  })
  const opened = office()
  const employees = opened.account.table(Employee)
  const indexed = indexes.on(opened.account)
  await employees.create()
  await indexed.state('email')
  const all = opened.account.table('employees')
  const rowKeys = async () => {
    const rows = await all.query().where({ partitionKey: 'Sales' }).toArray()
    return rows.map(({ rowKey }) => shortened(rowKey)).sort()
  }
  opened.sent.length = 0
  return { ...opened, opened, Employee, indexes, employees, indexed, all, rowKeys }
}

/** Shows a RowKey without its mark and its fingerprint: `email jonesj@contoso.com`. */
function shortened(rowKey: string): string {
  return rowKey.replace(/^~rk~ix~empid_~(\w+)\.[0-9a-f]{8}~/, '$1 ')
}

const ENTRIES_OF_JONES = [
  'adult 00000042_000223',
  'email jonesj@contoso.com',
  'empid_000223',
  'lastName Jones_000223',
]

/** Declares two types of one table that only a discriminator tells apart. */
function markedTypes() {
  const keys = { partitionKey: key`${'team'}`, rowKey: key`${'id'}` }
  const schema = z.object({ team: z.string(), id: z.string(), mail: z.string() })
  const Person = defineEntity({ name: 'staff', ...keys, schema, discriminator: { type: 'P' } })
  const Group = defineEntity({ name: 'staff', ...keys, schema, discriminator: { type: 'G' } })
  return { Person, Group }
}

describe('declareIndexes', () => {
  it('R-146: stores all entries of a row in the transaction that inserts it', async () => {
    const { employees, sent, rowKeys } = await staff()
    await employees.insert({ ...jones })
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(await rowKeys()).toEqual(ENTRIES_OF_JONES)
  })

  it('R-146: moves the entry of a value that changes', async () => {
    const { employees, rowKeys } = await staff()
    const employee = await employees.insert({ ...jones })
    employee.lastName = 'Jonas'
    await employees.merge(employee)
    expect(await rowKeys()).toEqual([...ENTRIES_OF_JONES.slice(0, 3), 'lastName Jonas_000223'])
  })

  it('R-146: removes the entries of a row that is deleted', async () => {
    const { employees, rowKeys } = await staff()
    await employees.insert({ ...jones })
    await employees.delete({ department: 'Sales', id: 223 }, { etag: '*' })
    expect(await rowKeys()).toEqual([])
  })

  it('R-146: stores no entry of a row without a value, and removes it with the value', async () => {
    const { employees, rowKeys } = await staff()
    const employee = await employees.insert({ department: 'Sales', id: 1, firstName: 'A', age: 3 })
    expect(await rowKeys()).toEqual(['empid_000001'])
    employee.email = 'a@contoso.com'
    await employees.merge(employee)
    expect(await rowKeys()).toEqual(['email a@contoso.com', 'empid_000001'])
    delete employee.email
    await employees.replace(employee)
    expect(await rowKeys()).toEqual(['empid_000001'])
  })

  it.each([
    ['insertOrReplace', 'insertOrReplace'],
    ['insertOrMerge', 'insertOrMerge'],
    ['execute', 'execute'],
    ['batch', 'batch'],
    ['modify', 'modify'],
    ["merge by etag '*'", 'merge'],
    ["replace by etag '*'", 'replace'],
  ] as const)('R-146: %s keeps the entries of a row that it has not read', async (_, method) => {
    const { employees, rowKeys } = await staff()
    await employees.insert({ ...jones })
    const changed = { ...jones, lastName: 'Jonas' }
    const ways = {
      insertOrReplace: () => employees.insertOrReplace(changed),
      insertOrMerge: () => employees.insertOrMerge(changed),
      execute: () => employees.execute(Operation.replace(changed, { etag: '*' })),
      batch: () => employees.batch().merge(changed, { etag: '*' }).submit(),
      modify: () =>
        employees.modify({ department: 'Sales', id: 223 }, (employee) => {
          employee.lastName = 'Jonas'
        }),
      merge: () => employees.merge(changed, { etag: '*' }),
      replace: () => employees.replace(changed, { etag: '*' }),
    }
    await ways[method]()
    expect(await rowKeys()).toEqual([...ENTRIES_OF_JONES.slice(0, 3), 'lastName Jonas_000223'])
  })

  it('an upsert of a new row stores its entries', async () => {
    const { employees, rowKeys } = await staff()
    await employees.insertOrReplace({ ...jones })
    expect(await rowKeys()).toEqual(ENTRIES_OF_JONES)
  })

  it('an upsert plans again when another program inserts the row first', async () => {
    const { employees, Employee, rival, between, rowKeys } = await staff()
    between(isBatch, () =>
      rival()
        .table(Employee)
        .insert({ ...jones, lastName: 'First' }),
    )
    await employees.insertOrReplace({ ...jones })
    expect(await rowKeys()).toEqual(ENTRIES_OF_JONES)
  })

  it('an upsert plans again when another program changes the row first', async () => {
    const { employees, Employee, rival, between, rowKeys } = await staff()
    await employees.insert({ ...jones })
    between(isBatch, () =>
      rival()
        .table(Employee)
        .merge({ ...jones, lastName: 'Between' }, { etag: '*' }),
    )
    await employees.insertOrReplace({ ...jones, lastName: 'Last' })
    expect(await rowKeys()).toEqual([...ENTRIES_OF_JONES.slice(0, 3), 'lastName Last_000223'])
  })

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

  it('an insert of an existing row fails with the error of a single insert', async () => {
    const { employees } = await staff()
    await employees.insert({ ...jones })
    const again = { ...jones, email: 'other@contoso.com' }
    await expect(employees.insert(again)).rejects.toBeInstanceOf(EntityAlreadyExistsError)
  })

  it('deleteIfExists tells whether the row existed', async () => {
    const { employees, rowKeys } = await staff()
    await employees.insert({ ...jones })
    const target = { department: 'Sales', id: 223 }
    expect(await employees.deleteIfExists(target, { etag: '*' })).toBe(true)
    expect(await employees.deleteIfExists(target, { etag: '*' })).toBe(false)
    expect(await rowKeys()).toEqual([])
  })

  it('a merge that touches no index sends one request', async () => {
    const Employee = defineEmployee()
    declareIndexes(Employee, { email: { rowKey: key`${'email'}`, unique: true } })
    const { account, sent } = office()
    const employees = account.table(Employee)
    await employees.create()
    const employee = await employees.insert({ ...jones })
    sent.length = 0
    employee.age = 43
    await employees.merge(employee)
    expect(sent.map(({ method }) => method)).toEqual(['PATCH'])
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

  it('rejects a batch that needs more than 100 operations with its entries', async () => {
    const { employees } = await staff()
    const batch = employees.batch()
    for (let id = 1; id <= 40; id++) batch.insert({ ...jones, id, email: `${id}@contoso.com` })
    await expect(batch.submit()).rejects.toMatchObject({
      code: 'InvalidBatch',
      message: expect.stringContaining('needs 160 operations'),
    })
  })
})

describe('a bulk write', () => {
  it('R-146: stores the entries of all rows, and fails only the row whose value is taken', async () => {
    const { employees, indexed } = await staff()
    const people = Array.from({ length: 60 }, (_, id) => ({
      ...jones,
      id,
      email: `${id === 41 ? 7 : id}@contoso.com`,
    }))
    const writing = employees.bulk().insert(people)
    await expect(writing).rejects.toMatchObject({ summary: { done: 59, failed: 1 } })
    expect(await indexed.verify()).toMatchObject({ rows: 59, found: 0 })
  })
})

describe('a unique index', () => {
  it('R-146: rejects a value that another row has, and names property and owner', async () => {
    const { employees, rowKeys } = await staff()
    await employees.insert({ ...jones })
    const error = await employees.insert({ ...jones, id: 7 }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UniqueValueError)
    expect(error).toMatchObject({
      code: 'UniqueValueTaken',
      mayHaveApplied: false,
      index: 'email',
      properties: ['email'],
      owner: { partitionKey: 'Sales', rowKey: 'empid_000223' },
    })
    expect(await rowKeys()).toEqual(ENTRIES_OF_JONES)
  })

  it('rejects a merge to a value that another row has', async () => {
    const { employees } = await staff()
    await employees.insert({ ...jones })
    const other = await employees.insert({ ...jones, id: 7, email: 'other@contoso.com' })
    other.email = jones.email
    await expect(employees.merge(other)).rejects.toBeInstanceOf(UniqueValueError)
  })

  it('rejects two rows with one value in a batch', async () => {
    const { employees, rowKeys } = await staff()
    const batch = employees
      .batch()
      .insert({ ...jones })
      .insert({ ...jones, id: 7 })
    await expect(batch.submit()).rejects.toBeInstanceOf(UniqueValueError)
    expect(await rowKeys()).toEqual([])
  })

  it('lets two rows swap their values in a batch', async () => {
    const { employees, indexed } = await staff()
    const one = await employees.insert({ ...jones })
    const two = await employees.insert({ ...jones, id: 7, email: 'two@contoso.com' })
    one.email = 'two@contoso.com'
    two.email = jones.email
    await employees.batch().merge(one).merge(two).submit()
    const found = await indexed.find('email', { department: 'Sales', email: jones.email })
    expect(found?.id).toBe(7)
  })

  it('frees the value of a row that is deleted', async () => {
    const { employees, indexed } = await staff()
    const one = await employees.insert({ ...jones })
    await employees.delete(one)
    await employees.insert({ ...jones, id: 7 })
    const found = await indexed.find('email', { department: 'Sales', email: jones.email })
    expect(found?.id).toBe(7)
  })

  it('takes over a reservation that a program without the index left behind', async () => {
    const { employees, all, indexed } = await staff()
    await employees.insert({ ...jones })
    await all.delete(['Sales', 'empid_000223'], { etag: '*' })
    await employees.insert({ ...jones, id: 7 })
    const found = await indexed.find('email', { department: 'Sales', email: jones.email })
    expect(found?.id).toBe(7)
  })

  it('never removes a reservation that another row took over', async () => {
    const { employees, all, rowKeys } = await staff()
    const one = await employees.insert({ ...jones })
    const rows = await all.query().where({ partitionKey: 'Sales' }).toArray()
    const reservation = rows.find(({ rowKey }) => rowKey.includes('~email.'))
    reservation?.set('IndexedRowKey', 'empid_000007')
    if (reservation !== undefined) await all.replace(reservation)
    one.email = 'new@contoso.com'
    await employees.merge(one)
    expect(await rowKeys()).toContain('email jonesj@contoso.com')
  })
})

describe('reads by an index', () => {
  it('R-146: find costs two point reads, and its entity can be written', async () => {
    const { employees, indexed, sent } = await staff()
    await employees.insert({ ...jones })
    await indexed.find('email', { department: 'Sales', email: 'missing' })
    sent.length = 0
    const found = await indexed.find('email', { department: 'Sales', email: jones.email })
    expect(sent).toHaveLength(2)
    if (found === undefined) throw new TypeError('no employee')
    found.age = 43
    await employees.merge(found)
    expect((await employees.get({ department: 'Sales', id: 223 })).age).toBe(43)
  })

  it('R-146: query reads the entities of a range in the order of the index', async () => {
    const { employees, indexed } = await staff()
    await employees.insert({ ...jones, id: 1, lastName: 'Jonas', email: '1@contoso.com' })
    await employees.insert({ ...jones, id: 2, lastName: 'Adams', email: '2@contoso.com' })
    await employees.insert({ ...jones, id: 3, lastName: 'Jansen', email: '3@contoso.com' })
    const found: unknown[] = []
    const where = { department: 'Sales', lastName: startsWith('J') }
    for await (const { lastName, age } of indexed.query('lastName', where)) {
      found.push([lastName, age])
    }
    expect(found).toEqual([
      ['Jansen', 42],
      ['Jonas', 42],
    ])
  })

  it('R-146: copies reads the projection alone, by one request', async () => {
    const { employees, indexed, sent } = await staff()
    await employees.insert({ ...jones })
    const copies = await indexed.copies('lastName')
    sent.length = 0
    const rows = await copies.where({ department: 'Sales', lastName: 'Jones' }).toArray()
    expect(rows).toEqual([
      expect.objectContaining({
        department: 'Sales',
        id: 223,
        lastName: 'Jones',
        firstName: 'Jon',
      }),
    ])
    expect(rows[0]?.age).toBeUndefined()
    expect(sent).toHaveLength(1)
  })

  it('deleteAll of copies is rejected, and the index keeps its entries', async () => {
    const { employees, indexed } = await staff()
    await employees.insert({ ...jones })
    const copies = (await indexed.copies('lastName')).where({ department: 'Sales' })
    await expect(copies.deleteAll()).rejects.toThrow('Copies of index lastName')
    expect(await copies.count()).toBe(1)
  })

  it('copies leaves out rows of other programs among the entries', async () => {
    const { account, employees, indexed } = await staff()
    await employees.insert({ ...jones })
    const rows = await account.table('employees').query().allowTableScan().toArray()
    const [{ rowKey = '' } = {}] = rows.filter((each) => each.rowKey.includes('~lastName.'))
    const like = rowKey.replace('000223', '000007')
    await account.table('employees').insert(new DynamicEntity('Sales', like))
    const copies = (await indexed.copies('lastName')).where({ department: 'Sales' })
    expect((await copies.toArray()).map(({ id }) => id)).toEqual([223])
    expect(await copies.count()).toBe(1)
  })

  it('copies has a projected property that the key of the entry shows as its hash', async () => {
    const { account } = office()
    const Employee = defineEmployee()
    const lastName = {
      rowKey: key`${'lastName:hash'}_${'id:6'}`,
      project: ['lastName'],
    } as const
    const indexed = declareIndexes(Employee, { lastName }).on(account)
    await account.table(Employee).create()
    await indexed.build()
    await account.table(Employee).insert(jones)
    const copies = await indexed.copies('lastName')
    const query = copies.where({ department: 'Sales', lastName: 'Jones' })
    expect(await query.toArray()).toMatchObject([{ id: 223, lastName: 'Jones' }])
  })

  it('a changed copy is stored with its row', async () => {
    const { employees, indexed } = await staff()
    const employee = await employees.insert({ ...jones })
    employee.firstName = 'Jonathan'
    await employees.merge(employee)
    const [copy] = await (await indexed.copies('lastName'))
      .where({ department: 'Sales', lastName: 'Jones' })
      .toArray()
    expect(copy?.firstName).toBe('Jonathan')
  })

  it('R-146: find rows by a property that is stored under the name of a part of the PartitionKey', async () => {
    const { account } = office()
    const Shop = defineEntity({
      name: 'shops',
      partitionKey: key`${'region'}`,
      rowKey: key`shop_${'id'}`,
      schema: z.object({ region: z.string(), id: z.string(), area: z.string(), kind: z.string() }),
      storeAs: { area: 'region' },
    })
    const definitions = { place: { rowKey: key`${'area'}~${'kind'}~${'id'}` } }
    const shops = account.table(Shop)
    await shops.create()
    await declareIndexes(Shop, definitions).on(account).build()
    const bakery = { region: 'EU', kind: 'bakery' }
    for (const area of ['EU', 'north']) await shops.insert({ ...bakery, id: area, area })
    const query = shops.query().where(bakery)
    expect((await query.toArray()).map(({ area }) => area)).toEqual(['EU', 'north'])
    expect(query.explain().index).toBeUndefined()
    const north = query.where({ area: 'north' })
    expect(north.explain().index).toBe('place')
    expect(await north.toArray()).toMatchObject([{ area: 'north' }])
  })

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
