import { expect } from 'vitest'
import type { Scenario } from '../scenario.ts'
import { jsonOf, refusalOf } from '../service-client.ts'

/** Create, find, list and delete tables. */
export const tableScenarios: readonly Scenario[] = [
  {
    title: 'creates a table, with an echo or without',
    async run({ client, name }) {
      const said = { body: { TableName: `${name}a` } }
      const echoed = await client.send('POST', '/Tables', said)
      expect(echoed.status).toBe(201)
      expect(jsonOf(echoed)).toMatchObject({ TableName: `${name}a` })
      const quiet = await client.send('POST', '/Tables', {
        body: { TableName: `${name}b` },
        headers: { prefer: 'return-no-content' },
      })
      expect([quiet.status, quiet.body]).toEqual([204, ''])
      expect(quiet.headers['preference-applied']).toBe('return-no-content')
    },
  },
  {
    title: 'refuses a table that exists',
    async run({ client, name }) {
      const again = await client.send('POST', '/Tables', { body: { TableName: name } })
      expect(refusalOf(again)).toEqual([409, 'TableAlreadyExists'])
    },
  },
  {
    title: 'takes names for equal that differ in case',
    azuriteDiffers: '3: table names are case-sensitive in entity operations',
    async run({ insert, client, name }) {
      await insert('p', 'r')
      const found = await client.send('GET', `/${name.toUpperCase()}(PartitionKey='p',RowKey='r')`)
      expect(found.status).toBe(200)
    },
  },
  {
    title: 'refuses a name that no table may have',
    azuriteDiffers: '3: the code is empty',
    async run({ client }) {
      const refused = await client.send('POST', '/Tables', { body: { TableName: '1st' } })
      expect(refusalOf(refused)).toEqual([400, 'InvalidResourceName'])
    },
  },
  {
    title: 'lists tables by a filter',
    async run({ client, name }) {
      const listed = await client.send('GET', `/Tables?$filter=TableName%20eq%20'${name}'`)
      expect(listed.status).toBe(200)
      expect(jsonOf(listed).value).toMatchObject([{ TableName: name }])
    },
  },
  {
    title: 'lists tables page by page',
    async run({ client, name }) {
      for (const letter of ['x', 'y', 'z']) {
        await client.send('POST', '/Tables', { body: { TableName: name + letter } })
      }
      const filter = `TableName%20ge%20'${name}x'%20and%20TableName%20le%20'${name}z'`
      const first = await client.send('GET', `/Tables?$filter=${filter}&$top=2`)
      expect(jsonOf(first).value).toMatchObject([
        { TableName: `${name}x` },
        { TableName: `${name}y` },
      ])
      const next = encodeURIComponent(first.headers['x-ms-continuation-nexttablename'] ?? '')
      const second = await client.send('GET', `/Tables?$filter=${filter}&NextTableName=${next}`)
      expect(jsonOf(second).value).toMatchObject([{ TableName: `${name}z` }])
      expect(second.headers['x-ms-continuation-nexttablename']).toBeUndefined()
    },
  },
  {
    title: 'deletes a table with its rows',
    async run({ client, name, insert, query }) {
      await insert('p', 'r')
      const deleted = await client.send('DELETE', `/Tables('${name}')`)
      expect([deleted.status, deleted.body]).toEqual([204, ''])
      expect(refusalOf(await query(''))).toEqual([404, 'TableNotFound'])
    },
  },
  {
    title: 'creates a deleted table again, without its rows',
    emulatorOnly: 'Azure keeps the name of a deleted table for a while',
    async run({ client, name, insert, query }) {
      await insert('p', 'r')
      await client.send('DELETE', `/Tables('${name}')`)
      await client.send('POST', '/Tables', { body: { TableName: name } })
      expect(jsonOf(await query('')).value).toEqual([])
    },
  },
  {
    title: 'finds no table that is not there to delete',
    async run({ client, name }) {
      const deleted = await client.send('DELETE', `/Tables('${name}none')`)
      expect(refusalOf(deleted)).toEqual([404, 'ResourceNotFound'])
    },
  },
]
