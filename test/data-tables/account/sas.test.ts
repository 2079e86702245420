import {
  AzureNamedKeyCredential,
  AzureSASCredential,
  generateAccountSas,
  generateTableSas,
  TableClient,
} from '@rowkey/data-tables'
import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { openPeople } from '../open.ts'

const key = new AzureNamedKeyCredential(DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY)
const expiresOn = new Date(Date.UTC(2099, 0))

const row = { partitionKey: 'p', rowKey: 'r', n: 1 }

describe('a SAS', () => {
  it('may be one of the account with the defaults of the official function', async () => {
    const { people, options } = await openPeople()
    await people.createEntity(row)
    const sas = new URLSearchParams(generateAccountSas(key))
    expect([sas.get('sp'), sas.get('srt'), sas.get('ss')]).toEqual(['rl', 'sco', 't'])
    const client = new TableClient(people.url, 'people', new AzureSASCredential(`${sas}`), options)
    expect(await client.getEntity('p', 'r')).toMatchObject({ n: 1 })
  })

  it('may be one of several services of the account', () => {
    const servicesOf = (services: object) =>
      new URLSearchParams(generateAccountSas(key, { services })).get('ss')
    expect(servicesOf({ table: true, blob: false })).toBe('t')
    expect(servicesOf({ file: true, table: true, queue: true, blob: true })).toBe('bqtf')
    expect(() => servicesOf({ blob: true })).toThrow(
      expect.objectContaining({ code: 'InvalidSas' }),
    )
    expect(() => servicesOf({ tables: true })).toThrow("services of a SAS has no option 'tables'")
  })

  it('may have a version before protocols', async () => {
    const { people, options } = await openPeople()
    const sas = generateTableSas('people', key, { version: '2013-08-15', expiresOn })
    expect(new URLSearchParams(sas).has('spr')).toBe(false)
    const client = new TableClient(people.url, 'people', new AzureSASCredential(sas), options)
    await people.createEntity(row)
    expect(await client.getEntity('p', 'r')).toMatchObject({ n: 1 })
  })

  it('may be one of a table name that only Cosmos DB has', () => {
    const sas = generateTableSas('t', key, { expiresOn })
    expect(new URLSearchParams(sas).get('tn')).toBe('t')
    expect(() => generateTableSas('a/b', key, { expiresOn })).toThrow(/table name/)
  })
})
