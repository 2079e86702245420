import { localTableService, seededIds } from '@rowkey/local'
import { expect, it } from 'vitest'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

it('seededIds returns the same UUIDs for the same seed, each once', () => {
  const take = (seed: number) => {
    const newId = seededIds(seed)
    return Array.from({ length: 1000 }, newId)
  }
  const ids = take(42)
  expect(ids).toEqual(take(42))
  expect(ids).not.toEqual(take(43))
  expect(new Set(ids).size).toBe(1000)
  for (const id of ids) expect(id).toMatch(UUID)
})

it('a service with seeded ids gives identical responses', async () => {
  const response = () =>
    localTableService({ newId: seededIds(1), now: () => 0 }).transport({
      method: 'GET',
      origin: 'http://localhost',
      path: '/',
      query: '',
      headers: {},
      body: undefined,
    })
  expect(await response()).toEqual(await response())
})
