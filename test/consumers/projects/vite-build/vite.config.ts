import { rowkey } from 'rowkey/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [rowkey()],
  build: { ssr: 'bundle.ts', outDir: 'out' },
  ssr: { noExternal: true },
})
