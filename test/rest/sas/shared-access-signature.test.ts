import { inspect } from 'node:util'
import { SharedAccessSignature } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, emulator } from '../people.ts'

const sas = new SharedAccessSignature('sv=2019-02-02&sig=c2VjcmV0', ['Careful.'])

describe('SharedAccessSignature', () => {
  it('returns its token alone or in a URL', () => {
    expect(sas.token).toBe('sv=2019-02-02&sig=c2VjcmV0')
    expect(sas.urlAt(contoso)).toBe(`${contoso.origin}/?${sas.token}`)
    expect(sas.urlAt(emulator)).toBe(`http://127.0.0.1:10002/devstoreaccount1/?${sas.token}`)
  })

  it('shows its warnings and never its token', () => {
    const shown = [inspect(sas, { showHidden: true }), JSON.stringify({ sas }), `${sas}`].join('\n')
    expect(shown).not.toContain('c2VjcmV0')
    expect(shown).toContain('Careful.')
    expect({ ...sas }).toEqual({ warnings: ['Careful.'] })
  })
})
