import { describe, expect, it } from 'vitest'
import { secondaryOf } from '../../../packages/rest/src/connection/secondary-of.ts'

describe('secondaryOf', () => {
  it.each([
    [
      'https://contoso.table.core.windows.net',
      'https://contoso-secondary.table.core.windows.net',
      '',
    ],
    [
      'https://contoso.z99.table.storage.azure.net/',
      'https://contoso-secondary.z99.table.storage.azure.net',
      '',
    ],
    ['http://contoso.table.localhost:10002', 'http://contoso-secondary.table.localhost:10002', ''],
    ['http://127.0.0.1:10002/contoso', 'http://127.0.0.1:10002', '/contoso-secondary'],
    ['http://[::1]:10002/contoso/', 'http://[::1]:10002', '/contoso-secondary'],
  ])('R-16, R-121: puts -secondary behind the account in %s', (url, origin, basePath) => {
    expect(secondaryOf(new URL(url), 'contoso')).toEqual({ origin, basePath })
    expect(secondaryOf(new URL(url), 'CONTOSO')).toMatchObject({ origin })
  })

  it.each([
    'https://tables.contoso.example',
    'https://contoso.zone.example',
    'https://contoso-secondary.table.core.windows.net',
    'http://127.0.0.1:10002/contoso-secondary',
  ])('knows none for %s', (url) => {
    expect(secondaryOf(new URL(url), 'contoso')).toBeUndefined()
  })
})
