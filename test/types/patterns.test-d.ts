import {
  type Account,
  defineEntity,
  Entity,
  type EntityOf,
  key,
  PartitionKey,
  RowKey,
} from '@rowkey/mapper'
import {
  type CopiesOptions,
  declareCopies,
  declareIndexes,
  declareOutbox,
  declareSummaries,
} from '@rowkey/patterns'
import { describe, it } from 'vitest'
import { z } from 'zod'
import { announcedTo } from '../patterns/announcing.ts'

declare const account: Account
const define = () =>
  defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`empid_${'id:6'}`,
    schema: z.object({
      department: z.string(),
      id: z.int(),
      title: z.string().optional(),
      salary: z.number().optional(),
      points: z.bigint(),
    }),
  })

const office = () =>
  defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`office`,
    schema: z.object({
      department: z.string(),
      managerId: z.int().optional(),
      managerTitle: z.string().nullish(),
      managerPoints: z.bigint().optional(),
    }),
  })

describe('the types of copies follow both models', () => {
  it('a copy is a property of the holder with the type of one of the source', () => {
    type Fields = CopiesOptions<
      EntityOf<ReturnType<typeof define>>,
      object,
      EntityOf<ReturnType<typeof office>>,
      object
    >['fields']
    const copy = (fields: Fields) =>
      declareCopies(define(), office(), {
        fields,
        source: ({ department, managerId: id }) =>
          id === undefined ? undefined : { department, id },
        holders: ({ department }) => [{ department }],
      })
    void (() => copy({ managerTitle: 'title', managerPoints: 'points' }))
    void (() => copy({ managerTitle: undefined }))
    // @ts-expect-error points are a bigint, and the copy is text
    void (() => copy({ managerTitle: 'points' }))
    // @ts-expect-error the source has no property of this name
    void (() => copy({ managerTitle: 'titel' }))
    // @ts-expect-error the holder has no property of this name
    void (() => copy({ managerTitel: 'title' }))
  })
})

describe('the types of summaries follow the model', () => {
  it('a key names properties of the entity, with the types of their formats', () => {
    declareSummaries(define(), { one: { rowKey: key`t_${'title'}_${'id:6'}` } })
    // @ts-expect-error the entity has no property of this name
    declareSummaries(define(), { one: { rowKey: key`t_${'titel'}` } })
    // @ts-expect-error a salary is a number, and the part needs text
    declareSummaries(define(), { one: { rowKey: key`t_${'salary'}` } })
  })

  it('sums name numbers and bigints', () => {
    declareSummaries(define(), { one: { rowKey: key`one`, sums: ['salary', 'points', 'id'] } })
    // @ts-expect-error a title cannot be added up
    declareSummaries(define(), { one: { rowKey: key`one`, sums: ['title'] } })
    // @ts-expect-error the entity has no property of this name
    declareSummaries(define(), { one: { rowKey: key`one`, sums: ['salery'] } })
    declareSummaries(define(), {
      // @ts-expect-error where gets an entity
      one: { rowKey: key`one`, where: ({ salery }) => salery > 1 },
    })
  })

  it('reads name a summary, the partition and the group', () => {
    const table = declareSummaries(define(), {
      staff: { rowKey: key`staff` },
      titles: { rowKey: key`t_${'title'}` },
    }).on(account)
    void (() => table.get('staff', { department: 'Sales' }))
    void (() => table.get('titles', { department: 'Sales', title: 'dev' }))
    // @ts-expect-error the summary needs a title
    void (() => table.get('titles', { department: 'Sales' }))
    // @ts-expect-error a title is text
    void (() => table.get('titles', { department: 'Sales', title: 5 }))
    // @ts-expect-error nothing of this name is grouped by
    void (() => table.get('staff', { department: 'Sales', pp: 'x' }))
    // @ts-expect-error no summary has this name
    void (() => table.get('stuff', { department: 'Sales' }))
    // @ts-expect-error the partition has no property of this name
    void (() => table.verify({ departement: 'Sales' }))
    // @ts-expect-error the partition is missing
    void (() => table.get('titles', { title: 'dev' }))
    // @ts-expect-error the partition is missing
    void (() => table.query('titles', {}))
  })
})

describe('what names a partition has all properties of the PartitionKey', () => {
  it('a read by a unique index needs them, and those of the index', () => {
    const email = { rowKey: key`title_${'title'}`, unique: true } as const
    const indexed = declareIndexes(define(), { email }).on(account)
    void (() => indexed.find('email', { department: 'Sales', title: 'dev' }))
    // @ts-expect-error the partition is missing
    void (() => indexed.find('email', { title: 'dev' }))
    // @ts-expect-error the value of the index is missing
    void (() => indexed.find('email', { department: 'Sales' }))
  })

  it('refresh needs them, and takes a whole entity', () => {
    const indexed = declareIndexes(define(), { title: { rowKey: key`title_${'title'}` } })
    const table = indexed.on(account)
    void (() => table.refresh({ department: 'Sales' }))
    void (() => table.refresh(define().create()))
    // @ts-expect-error the entity has no property of this name
    void (() => table.refresh({ departement: 'Sales' }))
    // @ts-expect-error the partition is missing
    void (() => table.refresh({}))
  })

  it('outboxes need them', () => {
    const outbox = declareOutbox(define(), {
      messages: () => ['one'],
      ...announcedTo(async () => {}),
    })
    void (() => outbox.on(account).pending({ department: 'Sales' }))
    // @ts-expect-error the partition is missing
    void (() => outbox.on(account).pending({}))
  })

  it('a fixed PartitionKey needs none', () => {
    const { rowKey } = define()
    const schema = z.object({ id: z.int(), title: z.string() })
    const model = defineEntity({
      name: 'all',
      partitionKey: key`all`,
      rowKey: key`${'id:6'}`,
      schema,
    })
    const titles = declareSummaries(model, { titles: { rowKey: key`t_${'title'}` } }).on(account)
    void (() => titles.get('titles', { title: rowKey.print({ id: 1 }) }))
    void (() => titles.verify({}))
  })

  it('decorators do not tell the compiler which properties these are', () => {
    @Entity('staff')
    class Employee {
      @PartitionKey() department!: string
      @RowKey() id!: string
      title = ''
    }
    const title = { rowKey: key`title_${'title'}`, unique: true } as const
    const indexed = declareIndexes(Employee, { title }).on(account)
    void (() => indexed.find('title', { department: 'Sales', title: 'dev' }))
    void (() => indexed.find('title', { title: 'dev' }))
    // @ts-expect-error the entity has no property of this name
    void (() => indexed.find('title', { departement: 'Sales', title: 'dev' }))
  })
})
