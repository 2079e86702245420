import { endpointOf } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { tokenScope } from '../../../packages/rest/src/sign/token-scope.ts'

describe('tokenScope', () => {
  it.each([
    ['https://contoso.table.core.windows.net', 'https://storage.azure.com/.default'],
    ['https://contoso.z01.table.storage.azure.net', 'https://storage.azure.com/.default'],
    ['https://contoso.table.core.chinacloudapi.cn', 'https://storage.azure.cn/.default'],
    ['https://contoso.table.core.usgovcloudapi.net', 'https://storage.azure.us/.default'],
    ['https://contoso.table.cosmos.azure.com:443', 'https://cosmos.azure.com/.default'],
    ['https://contoso.table.cosmos.azure.cn:8443', 'https://cosmos.azure.cn/.default'],
    ['https://contoso.table.cosmos.azure.us', 'https://cosmos.azure.us/.default'],
  ])('R-177: of %s is %s', (url, scope) => {
    expect(tokenScope(endpointOf(url))).toBe(scope)
  })
})
