import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { NAMED_FORMATS } from '../../packages/mapper/src/keys/find-key-format.ts'
import { root } from './source-files.ts'

it.each(['docs/keys.md', 'packages/mapper/src/keys/key.ts'])(
  'the table of %s has every format of keys',
  (path) => {
    const rows =
      readFileSync(`${root}${path}`, 'utf8')
        .match(/^(?: \* )?\| .*\|$/gm)
        ?.join('\n') ?? ''
    expect(NAMED_FORMATS.split(', ').filter((name) => !rows.includes(`\`${name}\``))).toEqual([])
  },
)
