import "treeglass/element";
