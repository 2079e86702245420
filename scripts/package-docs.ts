/**
 * Writes the pages of docs/ into the packages, so that each tarball is readable alone. The build does this.
 *
 * A release also passes the address of the repository and the tag: `tsx scripts/package-docs.ts <url> <tag>`. Then the links of
 * pages and READMEs lead there, and so do `repository`, `homepage` and `bugs` of each package.json, which are placeholders before, as is the
 * name in .github/CODEOWNERS. It fails when a placeholder is left.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { type Home, linksOf, packedPages, withLinkedPages } from './package-docs/packed-pages.ts'

const packages = fileURLToPath(new URL('../packages/', import.meta.url))
const owners = fileURLToPath(new URL('../.github/CODEOWNERS', import.meta.url))

const [url, tag] = process.argv.slice(2)
const home = url === undefined || tag === undefined ? undefined : { url, tag }
for (const name of await readdir(packages)) {
  await writePages(name, home)
  if (home !== undefined) await writeHome(name, home)
}
if (home !== undefined) await writeOwner(home)

/** Names the owner of the repository, and checks that no file still has the placeholder. */
async function writeOwner({ url }: Home): Promise<void> {
  const [owner = ''] = new URL(url).pathname.split('/').filter((part) => part !== '')
  await writeFile(owners, (await readFile(owners, 'utf8')).replace('@OWNER', `@${owner}`))
  const published = (await readdir(packages)).flatMap((name) =>
    ['package.json', 'README.md'].map((file) => `${packages}${name}/${file}`),
  )
  for (const file of [...published, owners]) {
    if (/@OWNER|\/OWNER\//.test(await readFile(file, 'utf8')))
      throw new Error(`${file} still names OWNER.`)
  }
}

async function writePages(name: string, home: Home | undefined): Promise<void> {
  const folder = `${packages}${name}/`
  await rm(`${folder}docs`, { recursive: true, force: true })
  for (const [path, text] of packedPages(name, home)) {
    await mkdir(dirname(`${folder}${path}`), { recursive: true })
    await writeFile(`${folder}${path}`, text)
  }
}

/** Replaces the placeholders of a manifest, and links the pages that a README names. */
async function writeHome(name: string, home: Home): Promise<void> {
  const manifest = `${packages}${name}/package.json`
  const readme = `${packages}${name}/README.md`
  const parts = JSON.parse(await readFile(manifest, 'utf8'))
  await writeFile(
    manifest,
    `${JSON.stringify({ ...parts, ...linksOf(name, home) }, undefined, 2)}\n`,
  )
  await writeFile(readme, withLinkedPages(await readFile(readme, 'utf8'), home))
}
