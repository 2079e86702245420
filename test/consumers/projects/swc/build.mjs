import { readFile, writeFile } from 'node:fs/promises'
import { transform } from '@swc/core'

const jsc = {
  target: 'es2022',
  parser: { syntax: 'typescript', decorators: true },
  transform: { decoratorVersion: '2022-03' },
}
for (const name of ['readme', 'main']) {
  const { code } = await transform(await readFile(`${name}.ts`, 'utf8'), { filename: name, jsc })
  await writeFile(`${name}.js`, code)
}
