import { endpointOf } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { atLocation } from '../../../packages/rest/src/retry/at-location.ts'
import { contoso, cosmos, emulator, read } from '../people.ts'

describe('atLocation', () => {
  it('leaves a request to the primary as it is', () => {
    expect(atLocation(read, contoso, 'primary')).toBe(read)
    expect(atLocation(read, cosmos, 'secondary')).toBe(read)
  })

  it('names another host in host style, and another first segment in path style', () => {
    expect(atLocation(read, contoso, 'secondary')).toEqual({
      ...read,
      origin: 'https://contoso-secondary.table.core.windows.net',
    })
    const { origin, basePath } = emulator
    const inPath = { ...read, origin, path: `${basePath}/people()` }
    expect(atLocation(inPath, emulator, 'secondary')).toMatchObject({
      origin,
      path: '/devstoreaccount1-secondary/people()',
    })
  })

  it('goes where the endpoint says', () => {
    const secondary = 'https://copy.example.com/tables/'
    const endpoint = endpointOf('https://contoso.table.core.windows.net', { secondary })
    expect(atLocation(read, endpoint, 'secondary')).toMatchObject({
      origin: 'https://copy.example.com',
      path: `/tables${read.path}`,
    })
  })
})
