import {
  decorate,
  defineEntity,
  Entity,
  ETag,
  Ignore,
  key,
  ModelError,
  modelOf,
  Property,
} from '@rowkey/mapper'
import { wideEntity } from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FirstHalf, jones, opened, SecondHalf } from './stats.ts'

describe('wideEntity', () => {
  it('rejects a value that none of its models declares, and stores nothing', async () => {
    const { stats, sent } = await opened()
    const misspelled = { ...jones, day1: 4, day356: 9 }
    await expect(stats.insert(misspelled)).rejects.toMatchObject({
      code: 'UndeclaredProperty',
      details: { property: 'day356' },
    })
    const entity = await stats.insert({ ...jones, day1: 4 })
    sent.length = 0
    Object.assign(entity, { day356: 9 })
    await expect(stats.save(entity)).rejects.toThrow('none of its models declares it')
    expect(sent).toEqual([])
  })

  it('takes a value in a member that its models do not store on purpose', async () => {
    class Half {
      department = ''
      employee = 0
      name?: string
      etag?: string
      cache?: readonly string[]
    }
    decorate(
      Half,
      Entity({
        name: 'stats',
        partitionKey: key`${'department'}`,
        rowKey: key`${'employee:6'}_01`,
      }),
      {
        name: Property(),
        etag: ETag(),
        cache: Ignore(),
      },
    )
    const { account } = await opened()
    const stats = wideEntity(modelOf(Half), SecondHalf).on(account)
    const given = { ...jones, name: 'Jones', etag: 'W/"1"', cache: ['a'] }
    await stats.insert(given)
    expect(await stats.get(jones)).toEqual({ ...jones, name: 'Jones', unit: 'messages' })
  })

  it('rejects models that share a property, or have other keys', () => {
    const other = (rowKey: 'employee' | 'other', name: string) =>
      defineEntity({
        name: 'stats',
        partitionKey: key`${'department'}`,
        rowKey: key`${rowKey}_02` as never,
        schema: z.object({
          department: z.string(),
          employee: z.string(),
          other: z.string(),
          [name]: z.string(),
        }),
      })
    expect(() => wideEntity(FirstHalf, other('employee', 'day1'))).toThrow(ModelError)
    expect(() => wideEntity(FirstHalf, other('other', 'day2'))).toThrow(/same key properties/)
    const both = [other('employee', 'day2'), other('employee', 'day3')] as const
    expect(() => wideEntity(...both)).toThrow(/differ in fixed text/)
  })

  it.each([
    [key`${'id'}_02`, 'x_02'],
    [key`second_${'id'}`, 'second_x'],
  ])('rejects a RowKey that could be the row of another model: %s', async (rowKey, id) => {
    const { account } = await opened()
    const keys = { group: z.string(), id: z.string() }
    const partitionKey = key`${'group'}`
    const One = defineEntity({
      name: 'stats',
      partitionKey,
      rowKey: key`${'id'}`,
      schema: z.object({ ...keys, one: z.string().optional() }),
    })
    const Two = defineEntity({
      name: 'stats',
      partitionKey,
      rowKey,
      schema: z.object({ ...keys, two: z.string().optional() }),
    })
    const both = wideEntity(One, Two).on(account)
    await both.insert({ group: 'a', id: 'x', one: '1', two: '2' })
    await expect(both.insert({ group: 'a', id })).rejects.toThrow('of another model')
    const found: unknown[] = []
    for await (const each of both.query({ group: 'a' })) found.push([each.id, each.two])
    expect(found).toEqual([['x', '2']])
  })
})
