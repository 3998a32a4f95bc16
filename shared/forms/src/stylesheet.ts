/** One static sheet for every public page: phone first, light and dark, no font or image from anywhere. */
export const STYLESHEET = `
:root{color-scheme:light dark;
--ground:#f4f3ef;--paper:#fffefb;--ink:#1d1c1a;--soft:#605c54;--line:#8b867b;--edge:#e2dfd6;
--accent:#1f5f54;--accent-ink:#fff;--fault:#a8261b;--fault-ground:#fdf0ee;--ring:#1f5f54}
@media(prefers-color-scheme:dark){:root{
--ground:#151614;--paper:#1e201d;--ink:#eeece6;--soft:#aaa69b;--line:#7c7a71;--edge:#33352f;
--accent:#8fd3c3;--accent-ink:#10211d;--fault:#ff9d90;--fault-ground:#3a211e;--ring:#8fd3c3}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);
font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",sans-serif}
main{max-width:38rem;margin:0 auto;padding:1.75rem 1.25rem 3rem;background:var(--paper);min-height:100vh;min-height:100dvh}
h1{font-size:1.5rem;line-height:1.3;font-weight:650;letter-spacing:-.012em;margin:0 0 1.5rem;
text-wrap:pretty;white-space:pre-wrap;overflow-wrap:anywhere}
h1.long{font-size:1.125rem;line-height:1.55;font-weight:500;letter-spacing:0}
h2{font-size:1.0625rem;line-height:1.4;margin:0 0 .5rem}
p{margin:0 0 1rem;overflow-wrap:anywhere}
fieldset{border:0;margin:0 0 2rem;padding:0;min-width:0}
legend{font-size:1.1875rem;font-weight:650;padding:0;margin:0 0 1rem;overflow-wrap:anywhere}
fieldset+fieldset{border-top:1px solid var(--edge);padding-top:1.5rem}
fieldset+fieldset legend{float:left;width:100%}
fieldset+fieldset legend+*{clear:both}
.field{margin:0 0 1.375rem}
label{display:block;font-weight:600;margin:0 0 .375rem;overflow-wrap:anywhere}
.required{font-weight:400;font-size:.875rem;color:var(--soft);margin-left:.375rem}
.hint{color:var(--soft);font-size:.9375rem;line-height:1.45;margin:0 0 .375rem;white-space:pre-wrap}
.fault{color:var(--fault);font-size:.9375rem;font-weight:600;line-height:1.45;margin:0 0 .375rem}
input,select,textarea,button{font:inherit;color:inherit}
input,select,textarea{display:block;width:100%;min-height:2.875rem;padding:.5625rem .75rem;
background:var(--paper);border:1px solid var(--line);border-radius:.5rem}
textarea{resize:vertical;min-height:8rem;line-height:1.5}
select{appearance:none;padding-right:2.5rem;text-overflow:ellipsis;
background-image:linear-gradient(45deg,transparent 50%,var(--soft) 50%),linear-gradient(-45deg,transparent 50%,var(--soft) 50%);
background-size:.4375rem .4375rem;background-position:right 1.25rem center,right .8125rem center;background-repeat:no-repeat}
.faulty input,.faulty select,.faulty textarea{border-color:var(--fault);box-shadow:0 0 0 1px var(--fault)}
.box{display:grid;grid-template-columns:1.5rem 1fr;column-gap:.75rem;align-items:start}
.box input{width:1.5rem;height:1.5rem;min-height:0;margin:.625rem 0 0;padding:0;accent-color:var(--accent);box-shadow:none}
.box label{margin:0;padding:.5625rem 0;min-height:2.75rem;cursor:pointer;font-weight:500}
.box p{grid-column:2}
.summary{border-left:.25rem solid var(--fault);background:var(--fault-ground);border-radius:.25rem .5rem .5rem .25rem;
padding:1rem 1.125rem;margin:0 0 1.75rem}
.summary ul{margin:0;padding:0;list-style:none}
.summary li{overflow-wrap:anywhere}
.summary a{display:block;padding:.625rem 0;color:var(--fault);font-weight:500;text-underline-offset:.2em}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin:2rem 0 0}
button{flex:1 1 9rem;min-height:3rem;padding:.6875rem 1.5rem;border:1px solid var(--accent);border-radius:.5rem;
background:var(--accent);color:var(--accent-ink);font-weight:600;cursor:pointer}
button.second{background:transparent;color:var(--accent)}
button:hover{filter:brightness(1.08)}
:focus-visible{outline:3px solid var(--ring);outline-offset:2px}
figure{margin:0 0 1.25rem}
figure img{display:block;max-width:100%;height:auto;border-radius:.5rem;border:1px solid var(--edge)}
figcaption{color:var(--soft);font-size:.9375rem;margin-top:.375rem;overflow-wrap:anywhere}
.media{margin:0 0 1.75rem}
.media a{display:inline-block;padding:.625rem 0;color:var(--accent);font-weight:500;text-underline-offset:.2em;overflow-wrap:anywhere}
@media(min-width:44rem){body{padding:3.5rem 1.5rem}
main{min-height:0;padding:2.75rem 3rem 3rem;border:1px solid var(--edge);border-radius:1rem;
box-shadow:0 1px 2px rgb(0 0 0/.04),0 12px 32px -16px rgb(0 0 0/.16)}
h1{font-size:1.75rem}h1.long{font-size:1.1875rem}
button{flex:0 1 auto;min-width:8rem}}
@media(forced-colors:active){select{appearance:auto;background-image:none}}
`;
