import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { modelFolder, pulledTables } from '../model/pulled-tables.ts'
import { openTables, type Tables } from '../with-tables.ts'

let tables: Tables
let folder: string
beforeAll(async () => {
  tables = await openTables()
  folder = await modelFolder()
})
afterAll(async () => {
  await tables[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

it('models of random tables compile, and read all of their rows', async () => {
  expect(await pulledTables(tables, folder, { count: 6, seed: 5 })).toEqual([])
})
