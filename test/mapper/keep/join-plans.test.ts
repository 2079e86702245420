import { keepRows, planKeptRows, type RowKeeper } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { freshAccount } from '../fresh-account.ts'
import { definePoint, shadow } from './shadowed-points.ts'

describe('keepRows', () => {
  it('stores the rows of several keepers', async () => {
    const Point = definePoint()
    const names: string[] = []
    const named = (name: string): RowKeeper => ({
      ...shadow,
      async plan(transitions, call) {
        names.push(name)
        return name === 'one'
          ? shadow.plan(transitions, call)
          : { companions: [], rejected: shadowless }
      },
    })
    keepRows(Point, named('one'))
    keepRows(Point, named('two'))
    const { account } = freshAccount()
    await account.table(Point).create()
    await account.table(Point).insert({ map: 'm', id: 'a', x: 1 })
    expect(names).toEqual(['one', 'two'])
  })
})

const shadowless = async (_: number, error: Error) => error

describe('planKeptRows', () => {
  const transition = {
    key: { partitionKey: 'm', rowKey: 'point_a' },
    before: undefined,
    after: undefined,
  }
  const { account } = freshAccount()
  const call = {
    table: { service: account.service, name: 'points' },
    written: [],
    attempt: 1,
    options: {},
  }

  it('plans a change once that several keepers want', async () => {
    const Point = definePoint()
    for (const keeper of [shadow, shadow, { ...shadow }]) keepRows(Point, keeper)
    expect((await planKeptRows(Point, [transition], call)).companions).toHaveLength(1)
  })
})
