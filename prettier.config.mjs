export default { printWidth: 110, proseWrap: "preserve" };
