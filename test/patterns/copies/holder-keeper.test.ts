import { defineEntity, key, union } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { declareCopies, declareOutbox, declareSummaries } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { announcedTo } from '../announcing.ts'
import { isBatch, office } from '../employees.ts'
import { define, jones, managed, program, sales } from './managers.ts'

describe('declareCopies', () => {
  it('keeps properties of the holder that its model does not declare', async () => {
    const { account, employees, employee, departments } = await managed()
    const row = await account.table('staff').get(['Sales', 'department'])
    await account.table('staff').merge(row.set('other', 'kept'))
    employee.lastName = 'Jonas'
    await employees.merge(employee)
    expect((await departments.get(sales)).managerName).toBe('Jonas')
    expect((await account.table('staff').get(row)).get('other')?.value).toBe('kept')
  })

  it('R-151: rejects a write of the holder whose source is missing, with copies or without', async () => {
    const { departments, department, rival } = await managed()
    const missing = { code: 'InvalidCopy', message: expect.stringContaining('does not exist') }
    const other = { department: 'IT', managerId: 'none' }
    await expect(departments.insert(other)).rejects.toMatchObject(missing)
    const { Employee } = define(false)
    await rival()
      .table(Employee)
      .delete({ ...sales, id: '223' }, { etag: '*' })
    department.managerName = 'Bond'
    await expect(departments.merge(department)).rejects.toMatchObject(missing)
    department.managerName = undefined
    department.managerEmail = undefined
    await departments.replace(department)
  })

  it('R-151: rejects a write of the holder whose copies differ from the source', async () => {
    const { departments, department, managers, account, employees } = await managed()
    await employees.insert({ ...jones, id: '7', lastName: 'Bond', email: undefined })
    department.managerId = '7'
    await expect(departments.merge(department)).rejects.toMatchObject({ code: 'InvalidCopy' })
    department.managerId = 'none'
    await expect(departments.merge(department)).rejects.toThrow(/does not exist\. Insert it first/)
    department.managerId = '7'
    await managers.on(account).fill(department)
    await departments.replace(department)
    expect(await departments.get(sales)).toEqual({ ...sales, managerId: '7', managerName: 'Bond' })
  })
})

describe('a holder with summaries', () => {
  it('keeps their attempts and their names in the errors of writes of its source', async () => {
    const { account, over, rival } = office()
    const { Employee, Department } = program()
    const named = { byManager: { rowKey: key`${'managerName'}` } }
    const summaries = declareSummaries(Department, named, { attempts: 2 })
    const [employees, departments] = [account.table(Employee), account.table(Department)]
    await employees.create()
    await summaries.on(account).state('byManager')
    await employees.insert({ ...jones })
    await departments.insert({
      ...sales,
      managerId: '223',
      managerName: 'Jones',
      managerEmail: jones.email,
    })
    const others = rival().table('staff')
    let batches = 0
    const network = over((service) => async (request, limits) => {
      if (isBatch(request) && !String(request.body).includes('~rk~cat')) {
        batches++
        const [group] = (await others.query().where({ partitionKey: 'Sales' }).toArray()).filter(
          ({ rowKey }) => rowKey.startsWith('~rk~su~'),
        )
        const { rowKey = '' } = group ?? {}
        await others.merge(new DynamicEntity('Sales', rowKey), { etag: '*' })
      }
      return service(request, limits)
    })
    const writing = network.table(Employee).modify({ ...sales, id: '223' }, (employee) => {
      employee.lastName = 'Jonas'
    })
    await expect(writing).rejects.toThrow(/summary byManager/)
    expect(batches).toBe(2)
  })
})

describe('a batch that writes a holder and changes another one by its source', () => {
  it('is rejected when both would change one sum, and stores nothing', async () => {
    const { account } = office()
    const shop = { name: 'shop', partitionKey: key`${'order'}` }
    const Item = defineEntity({
      ...shop,
      rowKey: key`item`,
      schema: z.object({ order: z.string(), title: z.string() }),
    })
    const Line = defineEntity({
      ...shop,
      rowKey: key`line_${'no:1'}`,
      schema: z.object({ order: z.string(), no: z.int(), title: z.string().optional() }),
    })
    declareCopies(Item, Line, {
      fields: { title: 'title' },
      source: ({ order }) => ({ order }),
      holders: ({ order }) => [0, 1].map((no) => ({ order, no })),
    })
    const summaries = declareSummaries(Line, { byTitle: { rowKey: key`${'title'}` } })
    const rows = account.table('shop', union(Item, Line))
    await rows.create()
    await rows.insert({ order: 'a', title: 'cup' })
    await rows.ofType(Line).insert({ order: 'a', no: 0, title: 'cup' })
    const batch = rows
      .batch()
      .insertOrReplace(Item, { order: 'a', title: 'mug' })
      .insert(Line, { order: 'a', no: 1, title: 'mug' })
    await expect(batch.submit()).rejects.toMatchObject({ code: 'InvalidBatch' })
    expect(await summaries.on(account).verify()).toMatchObject({ found: 0 })
  })
})

describe('declareCopies of two models in one holder', () => {
  const shop = { name: 'shop', partitionKey: key`${'order'}` }
  const named = z.object({ order: z.string(), name: z.string() })
  const titled = z.object({ order: z.string(), title: z.string() })

  it('stores the copies of a batch that changes both by one write of the holder', async () => {
    const { account, sent } = office()
    const Customer = defineEntity({ ...shop, rowKey: key`customer`, schema: named })
    const Product = defineEntity({ ...shop, rowKey: key`product`, schema: titled })
    const schema = named.extend(titled.shape)
    const Order = defineEntity({ ...shop, rowKey: key`order`, schema })
    const itself = ({ order }: { readonly order: string }) => ({ order })
    const options = { source: itself, holders: (entity: { order: string }) => [itself(entity)] }
    declareCopies(Customer, Order, { ...options, fields: { name: 'name' } })
    declareCopies(Product, Order, { ...options, fields: { title: 'title' } })
    const announce = async () => {}
    const outbox = declareOutbox(Order, {
      messages: ({ after }) => [after?.name],
      ...announcedTo(announce),
    })
    const rows = account.table('shop', union(Customer, Product, Order))
    await rows.create()
    const order = { order: '1' }
    const stored = rows.batch().insert(Customer, { ...order, name: 'Jones' })
    stored.insert(Product, { ...order, title: 'Chair' })
    await stored.insert(Order, { ...order, name: 'Jones', title: 'Chair' }).submit()
    sent.length = 0
    const changed = rows.batch().insertOrReplace(Customer, { ...order, name: 'Jonas' })
    await changed.insertOrReplace(Product, { ...order, title: 'Table' }).submit()
    expect(sent.filter(isBatch)).toHaveLength(1)
    const copies = { name: 'Jonas', title: 'Table' }
    expect(await rows.ofType(Order).get(order)).toMatchObject(copies)
    expect(await outbox.on(account).pending(order)).toEqual(['Jones', 'Jonas'])
  })
})
