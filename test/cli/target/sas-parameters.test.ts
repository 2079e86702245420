import { expect, it } from 'vitest'
import { coveredKeys, sasParameters } from '../../../packages/cli/src/target/sas-parameters.ts'

/** What the variables open in place of a text. */
const FOUND = { connectionString: 'UseDevelopmentStorage=true' }

const SAS = 'sv=2019-02-02&tn=people&spk=a&epk=b&erk=1&sig=x%3D'

it.each([
  [`https://contoso.table.core.windows.net/people?${SAS}`, {}],
  [`TableEndpoint=https://contoso.table.core.windows.net;SharedAccessSignature=${SAS};`, {}],
  [FOUND, { AZURE_STORAGE_ACCOUNT: 'contoso', AZURE_STORAGE_SAS_TOKEN: `?${SAS}` }],
  [FOUND, { AZURE_STORAGE_CONNECTION_STRING: `AccountName=contoso;SharedAccessSignature=${SAS}` }],
])('finds the signature of %j with the variables %j', (address, environment) => {
  const found = sasParameters(address, environment)
  expect([found?.get('tn'), found?.get('sig'), found && coveredKeys(found)]).toEqual([
    'people',
    'x=',
    'keys from a to b, 1',
  ])
})

it.each([
  ['AccountName=contoso;AccountKey=c2lnPXg=', {}],
  ['file:./data', {}],
  [FOUND, { AZURE_STORAGE_KEY: 'c2lnPXg=', AZURE_STORAGE_SAS_TOKEN: SAS }],
])('finds no signature of %j with the variables %j', (address, environment) => {
  expect(sasParameters(address, environment)).toBeUndefined()
})

it.each([
  ['epk=b', 'keys from the first to b'],
  ['spk=a&srk=1', 'keys from a, 1 to the last'],
])('names the keys that %s covers', (text, keys) => {
  expect(coveredKeys(new URLSearchParams(text))).toBe(keys)
})

it('names no keys for a signature of a whole table', () => {
  expect(coveredKeys(new URLSearchParams('tn=people&sig=x'))).toBeUndefined()
})
