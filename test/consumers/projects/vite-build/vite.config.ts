import { rowkey } from 'rowkey/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [rowkey()],
  build: { ssr: 'main.ts', outDir: 'out' },
  ssr: { noExternal: true },
})
