import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/**
 * The page runs under `script-src 'self'; style-src 'self'`: nothing may be inlined into index.html, and no
 * asset may become a data URI.
 */
export default defineConfig({
  plugins: [react()],
  build: {
    target: "es2023",
    // The first versions with light-dark(): below them the styles would be rewritten, and :dir() lost.
    cssTarget: ["chrome123", "firefox121", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
});
